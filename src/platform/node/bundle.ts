// Node has no bundler of browser code: the build brings its files along.

import type { Bundled, BundleOptions } from '../bundle.ts';

export function bundle({ entrypoints }: BundleOptions): Promise<Bundled[]> {
  return Promise.reject(
    new Error(
      `Node cannot bundle ${entrypoints.join(', ')}. Build with \`bun run build:node\`, or run from sources with Bun.`,
    ),
  );
}

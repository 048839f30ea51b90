// The bundler of the browser code. The executable does not have it: its files are bundled when it is built.

import { resolve } from 'node:path';
import type { Bundled, BundleOptions } from '../bundle.ts';

/** Minified files with a hash of their content in their names. Throws with the bundler's messages. */
export async function bundle({ entrypoints, kind }: BundleOptions): Promise<Bundled[]> {
  const naming = '[name]-[hash].[ext]';
  const built = await Bun.build({
    entrypoints,
    target: 'browser',
    format: kind === 'module' ? 'esm' : 'iife',
    splitting: kind === 'module',
    minify: true,
    naming: { entry: naming, chunk: naming, asset: naming },
    define: { 'process.env.NODE_ENV': '"production"' },
    env: 'disable',
    metafile: true,
    throw: false,
  });
  if (!built.success) throw new Error(`The browser code could not be bundled:\n${built.logs.join('\n')}`);
  return await Promise.all(
    built.outputs.map(async (output) => ({
      name: output.path.replace(/^.*\//, ''),
      isEntry: output.kind === 'entry-point',
      sources: Object.keys(built.metafile?.outputs[output.path]?.inputs ?? {}).map((path) => resolve(path)),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
}

// Puts the table of routes into a build: the operations themselves are loaded when they are asked for.

import { readKnownRoutes } from '../src/http/operations.ts';

export async function withKnownRoutes(): Promise<Bun.BunPlugin> {
  const contents = `export const knownRoutes = ${JSON.stringify(await readKnownRoutes())};`;
  return {
    name: 'known routes',
    setup(build) {
      build.onLoad({ filter: /[\\/]http[\\/]known-routes\.ts$/ }, () => ({ contents, loader: 'ts' }));
    },
  };
}

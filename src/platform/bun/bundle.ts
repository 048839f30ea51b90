// The bundler of the browser code. The executable does not have it: its files are bundled when it is built.

export interface Bundled {
  name: string;
  isEntry: boolean;
  bytes: Uint8Array;
}

interface BundleOptions {
  entrypoints: string[];
  /** `module` splits what entries share and what they load on demand; `script` makes one classic script. */
  kind: 'module' | 'script';
}

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
    throw: false,
  });
  if (!built.success) throw new Error(`The browser code could not be bundled:\n${built.logs.join('\n')}`);
  return await Promise.all(
    built.outputs.map(async (output) => ({
      name: output.path.replace(/^.*\//, ''),
      isEntry: output.kind === 'entry-point',
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
}

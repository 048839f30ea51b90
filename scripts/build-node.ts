// Builds dist/node: a package for Node with one module, the command `helpdesk` that starts it, and the browser code beside them.

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { withoutRe2 } from './compile.ts';
import { withKnownRoutes } from './known-routes.ts';
import { storeBrowserFiles } from './stored-browser-files.ts';
import { withoutPaths } from './without-paths.ts';

/** The first of each line with argon2 and SQLite 3.53, which migrations need. `.ci/run` tests the first version named here. */
const engines = { node: '^24.16.0 || >=26.0.0' };
const folder = resolve(process.argv[2] ?? 'dist/node');
const assets = join(folder, 'assets');

const storedAssets: Bun.BunPlugin = {
  name: 'stored assets',
  setup(build) {
    build.onLoad({ filter: /[\\/]swagger-ui-dist[\\/]swagger-ui(?:-bundle\.js|\.css)$/ }, ({ path }) => {
      const name = basename(path);
      copyFileSync(path, join(assets, name));
      return { contents: `const place = ${besideModule(name)};\nexport { place as default };\n`, loader: 'js' };
    });
  },
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(assets, { recursive: true });
await bundle();
const command = join(folder, 'helpdesk.mjs');
copyFileSync('cli/helpdesk.mjs', command);
chmodSync(command, 0o755);
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(), null, 2)}\n`);
copyFileSync('LICENSE', join(folder, 'LICENSE'));
copyFileSync('scripts/node-package.md', join(folder, 'README.md'));
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
console.log(`${folder} (${files.length} files, ${Math.round(bytes / 100_000) / 10} MB)`);

function packageManifest() {
  const { name, version, description, license } = manifest;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { helpdesk: 'helpdesk.mjs' },
    engines,
    files: ['helpdesk.mjs', 'desk.mjs', 'assets'],
  };
}

async function bundle(): Promise<void> {
  const built = await Bun.build({
    entrypoints: ['cli/node.ts'],
    target: 'node',
    format: 'esm',
    conditions: ['node'],
    minify: { whitespace: true, syntax: true },
    naming: 'desk.mjs',
    outdir: folder,
    plugins: [withoutRe2, await browserFiles(), await withKnownRoutes(), storedAssets],
    throw: false,
  });
  for (const message of built.logs) console.error(message);
  if (!built.success) throw new Error('the package for Node could not be built');
  const module = join(folder, 'desk.mjs');
  writeFileSync(module, withoutPaths(readFileSync(module, 'utf8'), resolve('.')));
}

/** Files that the program reads while it runs: the module gets their place beside itself. */
function besideModule(name: string): string {
  return `new URL(${JSON.stringify(`./assets/${name}`)}, import.meta.url)`;
}

async function browserFiles(): Promise<Bun.BunPlugin> {
  const contents = await storeBrowserFiles(assets, besideModule);
  return {
    name: 'browser files',
    setup(build) {
      build.onLoad({ filter: /[\\/]server[\\/]browser[\\/]files\.ts$/ }, () => ({ contents, loader: 'ts' }));
    },
  };
}

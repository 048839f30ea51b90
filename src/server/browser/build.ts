// Bundles src/web, names and compresses the files: when the executable is built, and on demand when the desk runs from its sources.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { bundle } from '#platform/bundle.ts';
import type { BrowserFiles, Encoding, PageFiles } from '../../http/pages/browser-files.ts';
import type { Bundled } from '../../platform/bundle.ts';

export interface BuiltFile {
  name: string;
  type: string;
  variants: Partial<Record<Encoding, Uint8Array>> & { identity: Uint8Array };
}

export interface BuiltBrowserFiles extends Omit<BrowserFiles, 'files'> {
  files: BuiltFile[];
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
/** The pages: the catalogues of messages that each begins with, and its stylesheet. */
const pageEntries: Readonly<Record<string, { areas: readonly string[]; style: string }>> = {
  'sign-in': { areas: ['', 'sign-in/pages'], style: 'shared/style.css' },
  console: { areas: ['', 'console/shell', 'console/list'], style: 'shared/style.css' },
  board: { areas: ['', 'board/pages'], style: 'board/board.css' },
  customer: { areas: ['', 'customer/pages'], style: 'customer/customer.css' },
};
const languages = ['en', 'nl', 'de', 'fr', 'es'];

export async function buildBrowserFiles(root: string): Promise<BuiltBrowserFiles> {
  const stylePaths = [...new Set(Object.values(pageEntries).map(({ style }) => style))];
  const pictureNames = (await readdir(join(root, 'shared/icons'))).sort();
  const [modules, [theme], [worker], styles, icon, pictures] = await Promise.all([
    bundle({ entrypoints: Object.keys(pageEntries).map((name) => join(root, name, `${name}.tsx`)), kind: 'module' }),
    bundle({ entrypoints: [join(root, 'shared/theme-script.ts')], kind: 'script' }),
    bundle({ entrypoints: [join(root, 'shared/service-worker-script.ts')], kind: 'script' }),
    Promise.all(stylePaths.map(async (path) => hashed(basename(path), Buffer.from(await readStyle(join(root, path)))))),
    readFile(join(root, 'shared/icon.svg')).then((bytes) => hashed('icon.svg', bytes)),
    Promise.all(pictureNames.map(async (name) => hashed(name, await readFile(join(root, 'shared/icons', name))))),
  ]);
  if (theme === undefined || worker === undefined) throw new Error('A script was not bundled.');
  const files = await Promise.all([...modules, theme, worker, ...styles, icon, ...pictures].map(compressed));
  return {
    files,
    pages: Object.fromEntries(
      Object.entries(pageEntries).map(([entry, { areas, style }]) => {
        const name = styles[stylePaths.indexOf(style)]?.name ?? '';
        return [entry, { ...scriptsOf(modules, root, entry, areas), style: name }];
      }),
    ),
    languages,
    themeScript: theme.name,
    icon: icon.name,
    pictures: Object.fromEntries(pictureNames.map((name, at) => [name, pictures[at]?.name ?? ''])),
    serviceWorker: worker.name,
    reloadScript: null,
  };
}

export async function buildReloadScript(root: string): Promise<BuiltFile> {
  const [script] = await bundle({ entrypoints: [join(root, 'shared/reload-script.ts')], kind: 'script' });
  if (script === undefined) throw new Error('The reload script was not bundled.');
  return await compressed(script);
}

function named(modules: readonly Bundled[], isIt: (file: Bundled) => boolean): Bundled {
  const found = modules.find(isIt);
  if (found === undefined) throw new Error('The bundler gave a file another name than expected.');
  return found;
}

function scriptsOf(
  modules: readonly Bundled[],
  root: string,
  entry: string,
  areas: readonly string[],
): Omit<PageFiles, 'style'> {
  const script = named(modules, ({ name, isEntry }) => isEntry && name.startsWith(`${entry}-`));
  const preloads = new Set<string>();
  const walk = ({ bytes }: Bundled) => {
    for (const [, name = ''] of new TextDecoder().decode(bytes).matchAll(/(?:\bfrom|\bimport)"\.\/([\w.-]+\.js)"/g)) {
      if (preloads.has(name)) continue;
      preloads.add(name);
      walk(named(modules, (other) => other.name === name));
    }
  };
  walk(script);
  const messages = Object.fromEntries(
    languages.map((language) => [language, areas.map((area) => messagesFile(modules, root, language, area).name)]),
  );
  return { script: script.name, preloads: [...preloads], messages };
}

/** @param area such as `console/list`; empty for the messages of every page */
function messagesFile(modules: readonly Bundled[], root: string, language: string, area: string): Bundled {
  const path = area === '' ? `${language}.ts` : `${dirname(area)}/${language}/${basename(area)}.ts`;
  return named(modules, ({ sources }) => sources.includes(join(root, 'messages', path)));
}

/**
 * A stylesheet with what it imports, without comments and indents. Bun's bundler is not asked: for old browsers it rewrites
 * logical properties and `:dir()` into rules that follow the language and ignore `dir`.
 */
async function readStyle(path: string): Promise<string> {
  const text = (await readFile(path, 'utf8')).replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' ');
  const parts: string[] = [];
  let end = 0;
  for (const { 0: rule, 1: imported = '', index } of text.matchAll(/@import "([^"]+)";/g)) {
    parts.push(text.slice(end, index), await readStyle(join(dirname(path), imported)));
    end = index + rule.length;
  }
  return [...parts, text.slice(end)].join('').trim();
}

function hashed(path: string, bytes: Uint8Array): Bundled {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  const extension = extname(path);
  return { name: `${basename(path, extension)}-${hash}${extension}`, isEntry: true, sources: [], bytes };
}

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

async function compressed({ name, bytes }: Bundled): Promise<BuiltFile> {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`${name} has no content type.`);
  const variants: BuiltFile['variants'] = { identity: bytes };
  const br = await toBrotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  const gz = await toGzip(bytes, { level: 9 });
  if (br.length < bytes.length) variants.br = br;
  if (gz.length < bytes.length) variants.gzip = gz;
  return { name, type, variants };
}

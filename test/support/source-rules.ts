// Reads source text and finds which of the project's rules it breaks; test/tidy.test.ts applies it to the tree.

/** Which rooms each room may import (docs/architecture.md, Rooms), with what the edge reads past the desk. */
export const rooms: Record<string, readonly string[]> = {
  base: ['base', 'platform'],
  platform: ['platform'],
  domain: ['domain'],
  engine: ['base', 'platform', 'migrations', 'engine'],
  store: ['base', 'domain', 'engine', 'store'],
  desk: ['base', 'domain', 'engine', 'store', 'desk', 'mail', 'files'],
  mail: ['base', 'domain', 'mail'],
  files: ['base', 'platform', 'domain', 'files'],
  net: ['base', 'platform', 'domain', 'net'],
  identity: ['base', 'platform', 'domain', 'net', 'identity'],
  reader: ['base', 'domain', 'mail', 'files', 'reader'],
  // Lookups and types of rows: an edge reads through desk.read, and writes only through verbs.
  outbox: ['base', 'domain', 'engine', 'store', 'desk', 'mail', 'files', 'net', 'identity', 'reader', 'outbox'],
  http: ['base', 'domain', 'engine', 'store', 'desk', 'mail', 'files', 'identity', 'cluster', 'http'],
  metrics: ['base', 'domain', 'engine', 'store', 'desk', 'metrics'],
  cluster: ['base', 'domain', 'engine', 'store', 'cluster'],
  data: ['base', 'platform', 'domain', 'engine', 'store', 'desk', 'mail', 'files', 'net', 'migrations', 'data'],
  jobs: ['base', 'domain', 'engine', 'store', 'desk', 'mail', 'files', 'outbox', 'reader', 'cluster', 'data', 'jobs'],
  server: [
    'base',
    'platform',
    'domain',
    'engine',
    'store',
    'desk',
    'mail',
    'files',
    'net',
    'identity',
    'reader',
    'outbox',
    'http',
    'metrics',
    'cluster',
    'data',
    'jobs',
    'migrations',
    'server',
  ],
  cli: [
    'base',
    'platform',
    'domain',
    'engine',
    'store',
    'desk',
    'mail',
    'files',
    'net',
    'identity',
    'reader',
    'outbox',
    'cluster',
    'data',
    'jobs',
    'server',
    'migrations',
    'cli',
  ],
  migrations: ['migrations'],
  web: ['web'],
};

/** Single files that a room may import although their room is closed to it. */
const doors: Record<string, readonly string[]> = {
  // The one list of refusals: a disk that fails is one.
  engine: ['src/domain/errors.ts'],
  // The shape of what the server hands to the edge, and how a page of the customers is drawn.
  http: [
    'src/jobs/mailroom.ts',
    'src/jobs/mailbox-test.ts',
    'src/jobs/recompute.ts',
    'src/web/customer/page.tsx',
    'src/web/customer/page-content.ts',
    'src/web/shared/format.ts',
    'src/web/shared/messages.ts',
    'src/web/shared/refused-files.ts',
  ],
  cli: ['src/http/operations.ts', 'src/http/operation.ts', 'src/http/request-writes.ts'],
};

/** Folders that a room may import although their room is closed to it. */
const openFolders: Record<string, readonly string[]> = {
  // The command line asks the same operations.
  cli: ['src/http/api/', 'src/http/wire/'],
  // Types alone of http: none of it reaches a browser. The vocabularies of the domain do.
  web: ['src/http/wire/', 'src/domain/'],
  // The texts of the pages that the desk writes.
  http: ['src/web/messages/'],
};

/** Packages that live in one room, or in one file of it. */
const packageHomes: Record<string, readonly string[]> = {
  hono: ['src/http/'],
  'drizzle-orm': ['src/engine/', 'src/store/'],
  bun: ['src/platform/bun/'],
  '@hono/node-server': ['src/platform/node/'],
  'node:sqlite': ['src/platform/node/'],
  'bun:sqlite': ['src/platform/bun/'],
  commander: ['cli/'],
  croner: ['src/jobs/schedule.ts', 'src/domain/rules/recurring.ts'],
  pino: ['src/base/log.ts'],
  'prom-client': ['src/metrics/'],
  'pino-pretty': ['src/base/log.ts'],
  ulid: ['src/base/ids.ts'],
  'file-type': ['src/files/'],
  '@fastify/busboy': ['src/http/', 'src/mail/'],
  mailparser: ['src/mail/'],
  'email-reply-parser': ['src/mail/reply/library.ts'],
  '@noble/hashes': ['src/web/shared/work.ts'],
  preact: ['src/web/', 'src/http/pages/page.tsx'],
  'preact-render-to-string': ['src/http/pages/page.tsx'],
  '@preact/signals': ['src/web/'],
  imapflow: ['src/mail/imap/'],
  nodemailer: ['src/mail/', 'src/outbox/'],
  otpauth: ['src/identity/totp.ts'],
  uqr: ['src/identity/totp.ts'],
  'altcha-lib': ['src/identity/proof-of-work.ts'],
  'openid-client': [
    'src/identity/issuer-client.ts',
    'src/identity/oidc-exchange.ts',
    'src/identity/mailbox-exchange.ts',
  ],
  '@simplewebauthn/server': ['src/identity/passkeys.ts'],
  'reflect-metadata': ['src/identity/relying-party.ts'],
};

const synchronousRooms = ['domain', 'engine', 'store', 'desk'];
const outsideWorld =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bMath\.random\b|\bcrypto\.(?:random\w+|getRandomValues)|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b|\bprocess\.env\b|\bBun\.env\b|\bTemporal\.Now\b/;

// Browsers have no base.
const browserClock = 'src/web/shared/clock.ts';
const intoHtml =
  /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|parseFromString|document\.write)\b/;

function roomOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  if (top === 'src') return second.replace(/\.ts$/, '');
  return top;
}

/** Source text with its comments and the contents of strings blanked, so that only code is left. */
export function codeOnly(text: string): string {
  let out = '';
  let at = 0;
  const braces: number[] = [];
  const blank = (from: string) => from.replace(/[^\n]/g, ' ');
  const takeTemplate = () => {
    const start = at;
    while (at < text.length && text[at] !== '`') {
      if (text[at] === '\\') at += 1;
      else if (text[at] === '$' && text[at + 1] === '{') {
        out += blank(text.slice(start, at)) + '${';
        at += 2;
        braces.push(0);
        return;
      }
      at += 1;
    }
    out += `${blank(text.slice(start, at))}\``;
    at += 1;
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    const two = text.slice(at, at + 2);
    if (two === '//' || two === '/*') {
      const end = two === '//' ? text.indexOf('\n', at) : text.indexOf('*/', at) + 2;
      const stop = end < at ? text.length : end;
      out += blank(text.slice(at, stop));
      at = stop;
    } else if (char === "'" || char === '"') {
      let end = at + 1;
      while (end < text.length && text[end] !== char && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1;
      out += char + blank(text.slice(at + 1, end)) + char;
      at = end + 1;
    } else if (char === '`') {
      out += char;
      at += 1;
      takeTemplate();
    } else if (char === '/' && two !== '/>' && /(?:^|[(,=:[!&|?{};+]|=>|\breturn|\btypeof)\s*$/.test(out.slice(-40))) {
      let end = at + 1;
      for (let isSet = false; end < text.length && (isSet || text[end] !== '/'); end += 1) {
        if (text[end] === '\\') end += 1;
        else if (text[end] === '[') isSet = true;
        else if (text[end] === ']') isSet = false;
      }
      out += `/${blank(text.slice(at + 1, end))}/`;
      at = end + 1;
    } else {
      const depth = braces.at(-1);
      if (depth !== undefined && char === '{') braces[braces.length - 1] = depth + 1;
      if (depth !== undefined && char === '}') {
        if (depth === 0) {
          braces.pop();
          out += '}';
          at += 1;
          takeTemplate();
          continue;
        }
        braces[braces.length - 1] = depth - 1;
      }
      out += char;
      at += 1;
    }
  }
  return out;
}

/** Every module that a file imports, statically or not, types included. */
export function importsOf(text: string): string[] {
  const code = codeOnly(text);
  const found: string[] = [];
  for (const match of code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"])/g)) {
    const start = match.index + match[0].length;
    const end = code.indexOf(match[1] ?? "'", start);
    found.push(text.slice(start, end));
  }
  return found;
}

const platformAlias = '#platform/';
/** The implementations of the platform. A build takes one of them, by the field "imports" of package.json. */
const runtimes = ['bun', 'node'];
/** What Node has for `bun:test`. */
const testsOnNode = 'test/support/on-node/bun-test.ts';

/** The files of the project that an import names: none for a package, one for each runtime for the platform. */
export function targetsOf(from: string, specifier: string): string[] {
  if (specifier.startsWith(platformAlias))
    return runtimes.map((runtime) => `src/platform/${runtime}/${specifier.slice(platformAlias.length)}`);
  if (specifier === 'bun:test') return [testsOnNode];
  return specifier.startsWith('.') ? [resolveImport(from, specifier)] : [];
}

/** The path, from the root of the project, that a relative import names. */
export function resolveImport(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('@')) return specifier.split('/').slice(0, 2).join('/');
  return specifier.split('/')[0] ?? specifier;
}

/** What of the domain is too large for browsers, or needs packages: schemas of input, and the engine of rules apart from what rules are made of. */
function isForServers(target: string): boolean {
  return (
    target.startsWith('src/domain/input/') ||
    /^src\/domain\/rules\/(?!(?:fields|rule|templates|ticket-fields|timed-rule|trigger|wire-reading)\.ts$)/.test(target)
  );
}

function importsOnlyTypes(text: string, specifier: string): boolean {
  const named = new RegExp(`import ([^;]*?)from '${specifier.replaceAll('.', '\\.')}'`, 'g');
  return [...text.matchAll(named)].every(([, clause = '']) => clause.startsWith('type '));
}

/** Files of one runtime import one another by path. */
function isOwnRuntime(path: string, target: string): boolean {
  return path.startsWith(`${target.split('/').slice(0, 3).join('/')}/`);
}

/** The rules that one file of src/, cli/ or migrations/ breaks, each as a sentence. */
export function faultsOf(path: string, text: string): string[] {
  const faults: string[] = [];
  const room = roomOf(path);
  const may = rooms[room];
  if (!may) return [`${path}: "${room}" is no room of the architecture`];
  for (const specifier of importsOf(text)) {
    const [target] = targetsOf(path, specifier);
    if (target !== undefined) {
      if (target === 'package.json' || target === 'CHANGELOG.md' || room === target.split('/')[0]) continue;
      if (/\.(?:html|css|txt)$/.test(target)) continue;
      const isOpen = openFolders[room]?.some((folder) => target.startsWith(folder)) || doors[room]?.includes(target);
      const isVocabulary = target.startsWith('src/domain/') && !isForServers(target);
      if (room === 'web' && roomOf(target) !== 'web' && !isVocabulary && !importsOnlyTypes(text, specifier))
        faults.push(`${path}: web may import only types of ${target}`);
      if (/^src\/platform\/(?:bun|node)\//.test(target) && specifier.startsWith('.') && !isOwnRuntime(path, target))
        faults.push(`${path}: ${target} is imported as ${platformAlias}…, so that a build can choose`);
      if (!may.includes(roomOf(target)) && !isOpen) faults.push(`${path}: ${room} must not import ${target}`);
      continue;
    }
    const homes = packageHomes[packageOf(specifier)];
    if (homes && !homes.some((home) => path.startsWith(home)))
      faults.push(`${path}: ${specifier} belongs to ${homes.join(' and ')}`);
    if (specifier.startsWith('drizzle-orm/') && specifier !== 'drizzle-orm/sqlite-core')
      faults.push(`${path}: ${specifier} names a driver; only src/platform does`);
    if (specifier === 'node:crypto' && synchronousRooms.includes(room))
      faults.push(`${path}: ${room} asks base/crypto, not node:crypto`);
  }
  const code = codeOnly(text);
  const line = (index: number) => code.slice(0, index).split('\n').length;
  const refuse = (pattern: RegExp, why: string) => {
    const found = pattern.exec(code);
    if (found) faults.push(`${path}:${line(found.index)}: ${why} (${found[0].trim()})`);
  };
  if (synchronousRooms.includes(room)) refuse(/\bawait\b|\basync\b/, `${room} never waits`);
  // A runtime may offer what another has inside: random salt, the path of programs.
  if (room !== 'base' && room !== 'platform' && path !== browserClock)
    refuse(outsideWorld, 'clock, randomness and environment are read in base');
  if (room === 'web') refuse(intoHtml, 'no text becomes HTML: Trusted Types are off');
  if (room !== 'platform') refuse(/\bBun\s*\./, 'only src/platform names a runtime');
  if (/\b(?:TODO|FIXME|XXX)\b/.test(text)) faults.push(`${path}: finish it or write an issue`);
  if (!/^(?:#!.*\n)?(?:\/\/|--|<!--|\/\*) ?\S/.test(text))
    faults.push(`${path}: begin with one line that says what lives here`);
  return faults;
}

// Spelled in parts, so that this file does not break its own rule.
const registryHosts = [
  'registry.npm' + 'js.org',
  'npm.pkg.git' + 'hub.com',
  'registry.yarn' + 'pkg.com',
  'npm' + 'mirror.com',
];
const machinePaths = /(?:^|[\s"'`(=:])\/(?:home|root|Users|work|workspace|mnt|tmp\/bash)\/[\w.-]+/m;

/** What no tracked file may contain: hosts of package registries, and paths of one person's machine. */
export function strayNames(path: string, text: string): string[] {
  const faults = registryHosts.filter((host) => text.includes(host)).map((host) => `${path}: names ${host}`);
  const found = machinePaths.exec(text);
  if (found) faults.push(`${path}: names ${found[0].trim()}, a path of one machine`);
  return faults;
}

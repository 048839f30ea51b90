// Runs the tests of HTTP, store, backup, files and deliveries on Node, each file in its own process. Names of files choose among them.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { plainEnvironment } from '../test/support/environment.ts';
import { builds } from './builds.ts';
import { storeBrowserFiles } from './stored-browser-files.ts';

interface Counts {
  pass: number;
  fail: number;
  skip: number;
}

/** Files left out, and why. */
const leftOut: Record<string, string> = {
  'test/net/resolve.test.ts': 'a resolver of Node does not ask the name server that the test sets for the process',
  'test/outbox/formats.test.ts': 'it reads cards with adaptivecards, which Node cannot load as a module',
};
/**
 * Of the tests of HTTP, those that a runtime can decide: bodies, streams, connections, timers, cryptography and files, and `contract`
 * and `matrix`, which call every operation. The others are about what the desk does with JSON.
 */
const http =
  'attachments body client-address compression connection contract customer-pages errors event-streams flood form fuzz inbound-mail issuer lenient live matrix metrics pages races replica second-factors session-cookie sign-in turns'.split(
    ' ',
  );
/** Of all of these, with every change: what the two runtimes do each in their own way. The rest is for .ci/full. */
const always = [
  ...['backup', 'copy', 'upgrade'].map((name) => `test/data/${name}.test.ts`),
  ...['database', 'migrate', 'rotation', 'statements', 'writer'].map((name) => `test/engine/${name}.test.ts`),
  ...['blobs', 'links', 's3-blobs', 'sniff'].map((name) => `test/files/${name}.test.ts`),
  ...['dispatcher-mail', 'email', 'push', 'webhook'].map((name) => `test/outbox/${name}.test.ts`),
  'test/net/guarded-fetch.test.ts',
];
const alwaysHttp =
  'attachments body compression connection contract event-streams form inbound-mail live second-factors session-cookie sign-in'.split(
    ' ',
  );
const longestMs = 300_000;
const reporter = pathToFileURL(resolve('test/support/on-node/reporter.ts'));
const isLong = process.env.HELPDESK_TEST_LONG === '1';
const given = process.argv.slice(2).map((name) => name.replace(/^\.\//, ''));
const all = [...new Bun.Glob('test/{data,engine,files,http,net,outbox,store}/**/*.test.ts').scanSync('.')]
  .filter((name) => leftOut[name] === undefined)
  .sort();
const unknown = given.filter((name) => !all.includes(name));
if (unknown.length > 0)
  throw new Error(`${unknown.join(', ')}: can run only unit tests of the folders that run on Node.`);
const isHttp = (name: string) => name.startsWith('test/http/');
const nameOf = (file: string) => basename(file, '.test.ts');
const absent = http.filter((name) => !all.some((file) => isHttp(file) && nameOf(file) === name));
if (absent.length > 0) throw new Error(`There is no test of HTTP named ${absent.join(', ')}.`);
const missing = always.filter((file) => !all.includes(file));
if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}.`);
const chosen = all.filter((file) => {
  if (isLong) return !isHttp(file) || http.includes(nameOf(file));
  return isHttp(file) ? alwaysHttp.includes(nameOf(file)) : always.includes(file);
});
const files = given.length > 0 ? given : chosen;

const folder = mkdtempSync(join(tmpdir(), 'helpdesk-node-tests-'));
const browserFiles = join(folder, 'browser-files.ts');
const components = join(folder, 'components.json');
const environment = {
  ...plainEnvironment(process.env),
  PATH: [...builds.node.programs, process.env.PATH ?? ''].join(delimiter),
  NODE_OPTIONS: `--import=${pathToFileURL(resolve('test/support/on-node/hooks.ts'))}`,
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  HELPDESK_TEST_BROWSER_FILES: browserFiles,
  HELPDESK_TEST_COMPONENTS: components,
};

/** Node takes the types out of a file, but does not know JSX: by the path of each component, what it is without. */
async function withoutJsx(): Promise<Record<string, string>> {
  const options = { jsx: 'react', jsxFactory: 'createNode', jsxFragmentFactory: 'Fragments' };
  const transpiler = new Bun.Transpiler({ loader: 'tsx', tsconfig: JSON.stringify({ compilerOptions: options }) });
  const head = "import { h as createNode, Fragment as Fragments } from 'preact';\n";
  const paths = [...new Bun.Glob('src/**/*.tsx').scanSync('.')];
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => [resolve(path), head + transpiler.transformSync(await Bun.file(path).text())] as const),
    ),
  );
}

/** From the counts at the end. A file that breaks off, or in which nothing ran, has one failure. */
function countsIn(output: string, code: number | null): Counts {
  const count = (word: string) => Number(new RegExp(`^ (\\d+) ${word}$`, 'mu').exec(output)?.[1] ?? 0);
  const counts = { pass: count('pass'), fail: count('fail'), skip: count('skip') };
  if (counts.fail === 0 && (code !== 0 || counts.pass === 0)) counts.fail = 1;
  return counts;
}

async function run(file: string): Promise<Counts> {
  const child = spawn('node', ['--test-force-exit', `--test-reporter=${reporter}`, file], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestMs,
    killSignal: 'SIGKILL',
  });
  const ended = Promise.withResolvers<number | null>();
  child.once('close', ended.resolve);
  child.once('error', ended.reject);
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended.promise]);
  const counts = countsIn(output, code);
  if (counts.fail > 0 || counts.skip > 0) {
    const said = output.replace(/^ \d+ (?:pass|fail|skip)\n/gmu, '');
    const whole = /^\(fail\)/mu.test(said)
      ? ''
      : `(fail) ${counts.pass === 0 ? 'no test ran' : 'the file'}: exit code ${code}\n`;
    console.log(`\n${file}:\n${errors}${said}${whole}`);
  }
  return counts;
}

async function runAll(): Promise<Counts> {
  const waiting = [...files];
  const total: Counts = { pass: 0, fail: 0, skip: 0 };
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const { pass, fail, skip } = await run(file);
      total.pass += pass;
      total.fail += fail;
      total.skip += skip;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return total;
}

try {
  writeFileSync(browserFiles, await storeBrowserFiles(folder, (name) => JSON.stringify(join(folder, name))));
  writeFileSync(components, JSON.stringify(await withoutJsx()));
  const { pass, fail, skip } = await runAll();
  console.log(
    `\n ${pass} pass\n ${skip} skip\n ${fail} fail\n${files.length} files on Node [${Math.round(performance.now() / 1000)}s]`,
  );
  process.exitCode = fail > 0 || skip > 0 || pass === 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

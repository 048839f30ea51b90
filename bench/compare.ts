// Holds the working tree's build against another commit's, by turns: `bun run bench compare <commit or executable> [--rounds=3] [--ms=4000]`.

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { $ } from 'bun';
import { builds } from '../scripts/builds.ts';
import { drive, type Load } from './load.ts';
import { freePort, type Running, running, unlimited } from './running.ts';

type Figures = Record<string, number>;

const logHeadBytes = 32;
const counted = 20;

const optionOf = (args: readonly string[], name: string, usual: number) =>
  Number(args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? usual);

/** The executable of a commit, built in a temporary folder; an executable's own path is taken as it is. */
async function executableOf(root: string, wanted: string, work: string): Promise<string> {
  if (existsSync(wanted) && statSync(wanted).isFile()) return resolve(wanted);
  const folder = join(work, 'tree');
  console.log(`building ${wanted}`);
  await $`git clone --quiet ${root} ${folder} && git -C ${folder} checkout --quiet ${wanted}`;
  await $`cd ${folder} && ${process.execPath} install --silent && ${process.execPath} run build`.quiet();
  return join(folder, builds.bun.executable);
}

interface Desk extends Running {
  data: string;
  siteToken: string;
  teamToken: string;
}

async function startDesk(executable: string, work: string): Promise<Desk> {
  const data = mkdtempSync(join(work, 'data-'));
  const port = freePort();
  const env = { ...unlimited, HELPDESK_DATA: data, HELPDESK_PORT: String(port), HELPDESK_LOG_LEVEL: 'warn' };
  const started = await running([executable, 'serve'], port, env);
  const said = async (...words: string[]) =>
    (await $`${executable} ${words} --json`.env({ ...process.env, ...env }).text()).trim();
  const found = (text: string, key: string) => new RegExp(`"${key}": ?"([^"]+)"`).exec(text)?.[1] ?? '';
  const siteToken = found(await said('site', 'create', '--name', 'Web'), 'site_token');
  const teamToken = found(await said('token', 'issue', '--name', 'bench', '--abilities', 'read,write,manage'), 'token');
  return { ...started, data, siteToken, teamToken };
}

const ticket = (n: string) =>
  JSON.stringify({
    email: `u${n}@example.org`,
    name: 'User',
    subject: `Cannot save my settings ${n}`,
    message:
      'The button does nothing when I press it. It worked yesterday; today the page shows an error and my settings are gone.',
  });

const newTicket = '/api/v1/public/tickets';

/** Until the log has stopped growing: deliveries and the search index come a little later. */
async function settledLog(data: string): Promise<number> {
  const path = join(data, 'helpdesk.db-wal');
  const size = () => (existsSync(path) ? statSync(path).size : 0);
  for (let before = -1; before !== size(); await Bun.sleep(1500)) before = size();
  return size();
}

/** How much log a create writes with its acknowledgement, of some that come one after another. */
async function logKbOfCreate({ data, port, siteToken }: Desk): Promise<number> {
  const before = await settledLog(data);
  for (let at = 0; at < counted; at += 1) {
    const response = await fetch(`http://127.0.0.1:${port}${newTicket}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Site-Token': siteToken },
      body: ticket(`-early${at}`),
    });
    if (response.status !== 201) throw new Error(`a create was answered ${response.status}`);
  }
  return Math.round((((await settledLog(data)) - Math.max(before, logHeadBytes)) / 1024 / counted) * 10) / 10;
}

// USER_HZ is 100 on every Linux.
const tickUs = 10_000;

/** Processor time of all threads, and what was written to files and sockets: counted for the process, so other load matters little. */
function spentBy(pid: number): { processorUs: number; writtenBytes: number } {
  const times = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const written = /^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
  return { processorUs: (Number(times[11]) + Number(times[12])) * tickUs, writtenBytes: Number(written) };
}

const longestSettleS = 20;

/** Until it uses less than a tenth of a processor: deliveries and the search index go on after the last answer. Returns the seconds. */
async function settle(pid: number): Promise<number> {
  for (let second = 1; second <= longestSettleS; second += 1) {
    const before = spentBy(pid).processorUs;
    await Bun.sleep(1000);
    if (spentBy(pid).processorUs - before < 100_000) return second;
  }
  return longestSettleS;
}

function memoryMb(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

async function measure(executable: string, work: string, ms: number): Promise<Figures> {
  const desk = await startDesk(executable, work);
  const figures: Figures = {
    'start, ms': Math.round(desk.startedMs),
    'log of a create, KB': await logKbOfCreate(desk),
  };
  let firstNumber = 0;
  let created = 0;
  async function rate(name: string, connections: number, path: string, more: Partial<Load> = {}): Promise<void> {
    const headers = { Accept: 'application/json', Authorization: `Bearer ${desk.teamToken}` };
    const usual = {
      port: desk.port,
      connections,
      warmUpMs: ms / 4,
      measureMs: ms,
      method: 'GET',
      path,
      headers,
    } as const;
    const before = spentBy(desk.pid);
    const measured = await drive({ ...usual, body: null, choices: [], firstNumber, ...more });
    const after = spentBy(desk.pid);
    const answers = Object.values(measured.statuses).reduce((sum, one) => sum + one, 0);
    firstNumber = measured.lastNumber;
    figures[`${name}, a second`] = measured.perSecond;
    figures[`${name}, processor µs`] = Math.round((after.processorUs - before.processorUs) / answers);
    if (more.method !== 'POST') return;
    created += answers;
    figures[`${name}, KB written`] = Math.round((after.writtenBytes - before.writtenBytes) / 102.4 / answers) / 10;
  }
  const creating = { method: 'POST', headers: { 'X-Site-Token': desk.siteToken }, body: ticket('{n}') } as const;
  for (const connections of [1, 16, 64])
    await rate(
      `create, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
      connections,
      newTicket,
      creating,
    );
  const before = spentBy(desk.pid).processorUs;
  figures[`until what creates left is done, s (${longestSettleS} at most)`] = await settle(desk.pid);
  figures['what a create left, processor µs'] = Math.round((spentBy(desk.pid).processorUs - before) / created);
  const list = '/api/v1/tickets';
  const authorized = { headers: { Authorization: `Bearer ${desk.teamToken}` } };
  const page = (await (await fetch(`http://127.0.0.1:${desk.port}${list}?per_page=100`, authorized)).json()) as {
    data: { ulid: string }[];
  };
  const rows = {
    read: `${list}/${page.data[0]?.ulid}`,
    list,
    'filtered list': `${list}?status=open&sort=updated_at`,
    search: `${list}?q=settings+yesterday`,
  };
  for (const [name, path] of Object.entries(rows)) await rate(name, 16, path);
  // Different ones each time, of a desk to which tickets come: what an earlier answer does not help with.
  const choices = page.data.map(({ ulid }) => ulid);
  await Promise.all([
    rate('read others beside creates', 16, `${list}/{choice}`, { choices }),
    drive({
      ...{ port: desk.port, connections: 1, warmUpMs: ms / 4, measureMs: ms, path: newTicket },
      ...creating,
      choices: [],
      firstNumber: firstNumber + 1_000_000,
    }),
  ]);
  // It counts the creates too.
  delete figures['read others beside creates, processor µs'];
  figures['memory, MB'] = memoryMb(desk.pid);
  await desk.stop();
  rmSync(desk.data, { recursive: true, force: true });
  return figures;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Prints the medians of both builds, and their ratios, as a table for bench/README.md. */
export async function compare(root: string, args: readonly string[]): Promise<void> {
  const [wanted] = args.filter((arg) => !arg.startsWith('-'));
  if (wanted === undefined) {
    console.error('Name a commit, or an executable that was built before: bun run bench compare <commit>.');
    process.exit(2);
  }
  const [rounds, ms] = [optionOf(args, 'rounds', 3), optionOf(args, 'ms', 4000)];
  const work = mkdtempSync(join(tmpdir(), 'helpdesk-compare-'));
  process.on('exit', () => rmSync(work, { recursive: true, force: true }));
  const before = await executableOf(root, wanted, work);
  console.log('building the working tree');
  await $`cd ${root} && ${process.execPath} run build`.quiet();
  const both = { before, now: join(root, builds.bun.executable) };
  const load = loadavg()[0] ?? 0;
  const all: Record<keyof typeof both, Figures[]> = { before: [], now: [] };
  for (let round = 1; round <= rounds; round += 1)
    for (const name of ['before', 'now'] as const) {
      console.log(`round ${round}: ${name}`);
      all[name].push(await measure(both[name], work, ms));
    }
  console.log(
    `\n| ${basename(wanted).slice(0, 12)} against the working tree | before | now | ratio |\n| --- | --- | --- | --- |`,
  );
  for (const row of Object.keys(all.now[0] ?? {})) {
    const [was, is] = [all.before, all.now].map((figures) => median(figures.map((one) => one[row] ?? 0)));
    console.log(`| ${row} | ${was} | ${is} | ${was ? ((is ?? 0) / was).toFixed(2) : '–'} |`);
  }
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}, load ${load.toFixed(1)} at the beginning, medians of ${rounds}`,
  );
}

// Two processes of the executable as two machines: forwarded writes, a primary that is killed, a takeover, and two primaries.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as onBun from '../../src/platform/bun/vacuum-copy.ts';
import * as onNode from '../../src/platform/node/vacuum-copy.ts';
import { type FakeLiteFS, fakeLiteFS, positionOf, replicate, until } from '../support/litefs.ts';
import { askAt } from '../support/machines.ts';
import {
  bareEnvironment,
  executable,
  isNode,
  newDirectory,
  program,
  type Served,
  serve,
  unlimited,
} from './executable.ts';

interface Machine {
  litefs: FakeLiteFS;
  folder: string;
  environment: Record<string, string>;
  served: Served;
  host: string;
}

const folders: (() => void)[] = [];
const alive = new Set<Served>();
const key = Buffer.alloc(32, 11).toString('base64');
let first: Machine;
let second: Machine;
let siteToken: string;
let team: Record<string, string>;
const answered: string[] = [];

function environmentOf(litefs: FakeLiteFS, folder: string): Record<string, string> {
  return {
    ...unlimited,
    HELPDESK_DATA: join(folder, 'data'),
    HELPDESK_BASE_URL: 'http://desk.example',
    HELPDESK_SECRET_KEY: key,
    HELPDESK_LITEFS_DIR: litefs.mount,
    HELPDESK_LITEFS_URL: litefs.url,
    HELPDESK_PEER_URL: 'http://127.0.0.1:{hostname}',
  };
}

async function start(litefs: FakeLiteFS): Promise<Machine> {
  const { path: folder, remove } = newDirectory();
  folders.push(remove);
  const environment = environmentOf(litefs, folder);
  const served = await serve(folder, environment);
  alive.add(served);
  void served.exited.then(() => alive.delete(served));
  return { litefs, folder, environment, served, host: new URL(served.url).port };
}

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** The supervisor and the desk together, as when the machine fails. */
async function lose({ served }: Machine): Promise<void> {
  const desks = childrenOf(served.pid);
  served.signal('SIGKILL');
  for (const desk of desks) process.kill(desk, 'SIGKILL');
  await served.exited;
}

async function command(machine: Machine, ...args: string[]) {
  const child = Bun.spawn([executable, ...args], {
    cwd: machine.folder,
    env: { ...bareEnvironment, ...machine.environment },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { output, errors, code: await child.exited };
}

async function open(machine: Machine, subject: string, headers: Record<string, string> = {}) {
  const answer = await askAt(machine.served.url, 'POST', '/api/v1/public/tickets', {
    headers: { 'X-Site-Token': siteToken, 'Idempotency-Key': subject.replaceAll(' ', '-'), ...headers },
    // An address is acknowledged once an hour.
    body: JSON.stringify({
      email: `${subject.replaceAll(' ', '-')}@example.org`,
      name: 'Mia',
      subject,
      message: 'It fails.',
    }),
  });
  if (answer.status === 201) answered.push(subject);
  return answer;
}

async function subjectsAt(machine: Machine): Promise<string[]> {
  const listed = await askAt(machine.served.url, 'GET', '/api/v1/tickets?per_page=100', { headers: team });
  expect(listed.status).toBe(200);
  return listed.json.data.map(({ subject }: { subject: string }) => subject);
}

const listening = /"url":"(http:[^"]+)","state":"[a-z]+","reason":"([^"]+)"|listens on (http:\S+) and/g;

/** A desk that was started again has another port. */
async function again(machine: Machine, reason?: string): Promise<Machine> {
  const told = () => [...(machine.served.output() + machine.served.errors()).matchAll(listening)];
  const isIt = ([, waiting, why, open]: RegExpMatchArray) =>
    reason === undefined ? open !== undefined : waiting !== undefined && (why ?? '').includes(reason);
  const addresses = () =>
    told()
      .filter(isIt)
      .map(([, waiting, , open]) => waiting ?? open ?? '');
  await until(() => addresses().some((url) => url !== machine.served.url), 'it listens again');
  const url = addresses().findLast((one) => one !== machine.served.url) ?? '';
  return { ...machine, served: { ...machine.served, url }, host: new URL(url).port };
}

const readyOf = async (machine: Machine) => (await askAt(machine.served.url, 'GET', '/readyz')).json;

beforeAll(async () => {
  const litefs = await fakeLiteFS();
  litefs.setPrimary(true);
  litefs.setPosition(1);
  first = await start(litefs);
  const site = await command(first, 'site', 'create', '--name', 'Web shop', '--json');
  const token = await command(first, 'token', 'issue', '--name', 'me', '--abilities', 'read,write,manage', '--json');
  siteToken = JSON.parse(site.output).site_token;
  team = { Authorization: `Bearer ${JSON.parse(token.output).token}` };
  const other = await fakeLiteFS();
  other.setPrimary(false);
  other.namePrimary(first.host);
  other.setPosition(1);
  replicate(litefs.database, other.database);
  second = await start(other);
});
afterAll(async () => {
  for (const served of alive) served.signal('SIGKILL');
  for (const served of alive) {
    served.signal('SIGKILL');
    await served.exited;
  }
  first.litefs.close();
  second.litefs.close();
  for (const remove of folders) remove();
});

describe('two machines', () => {
  test('say what they are', async () => {
    expect(first.served.output()).toContain('This machine is the primary.');
    expect(second.served.output()).toContain(`the primary is ${first.host}`);
    expect(await readyOf(first)).toMatchObject({ status: 'ready', role: 'primary' });
    expect(await readyOf(second)).toMatchObject({ status: 'ready', role: 'replica' });
  });

  test('take writes on either, and show them on either', async () => {
    first.litefs.setPosition(7);
    expect((await open(first, 'on the primary')).status).toBe(201);
    const forwarded = await open(second, 'on the replica');
    expect(forwarded.status).toBe(201);
    expect(forwarded.headers.get('x-helpdesk-position')).toBe(positionOf(7));
    second.litefs.setPosition(7);
    for (const machine of [first, second])
      expect((await subjectsAt(machine)).toSorted()).toEqual(['on the primary', 'on the replica']);
    const metrics = await askAt(second.served.url, 'GET', '/metrics');
    expect(metrics.text).toMatch(/^helpdesk_node_is_primary 0$/m);
  });

  test('can copy their database in a process of its own', async () => {
    const to = join(first.folder, 'copy.db');
    const where = { folder: first.folder, timeoutMs: 60_000, program: program[0] ?? '' };
    const { startVacuumCopy } = isNode ? onNode : onBun;
    expect(await startVacuumCopy(first.litefs.database, to, where).exited).toBe(0);
    const copy = new Database(to, { readonly: true });
    expect(copy.query('SELECT count(*) AS n FROM tickets').get()).toEqual({ n: 2 });
    copy.close();
  });

  test('have one that the command line may write on', async () => {
    const refused = await command(second, 'site', 'create', '--name', 'Another');
    expect([refused.code, refused.output]).toEqual([1, '']);
    expect(refused.errors).toContain(`the primary is ${first.host}. Nothing was stored.`);
    expect((await command(second, 'site', 'list')).output).toContain('Web shop');
  });

  test('when the primary is killed, the replica reads on and refuses writes until it is promoted', async () => {
    let isOver = false;
    const load = (async () => {
      for (let at = 0; !isOver; at += 1) {
        const answer = await open(second, `under load ${at}`);
        if (answer.status !== 201) expect([answer.status, answer.json.code]).toEqual([503, 'unavailable']);
      }
    })();
    await until(() => answered.length > 20, 'some are answered');
    await lose(first);
    await until(async () => (await open(second, 'while no one is primary')).status === 503, 'refused');
    const refused = await open(second, 'while no one is primary');
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.json).toEqual({ message: expect.any(String), code: 'unavailable', request_id: expect.any(String) });
    expect(await subjectsAt(second)).not.toContain('while no one is primary');
    isOver = true;
    await load;
    second.litefs.namePrimary(null);
    second.litefs.setPrimary(true);
    await until(async () => (await open(second, 'after the takeover')).status === 201, 'it has taken over');
    expect(await readyOf(second)).toMatchObject({ role: 'primary' });
  });

  test('every answered write is there once, and the mails go out from the new primary', async () => {
    const found: string[] = [];
    for (let page = 1; ; page += 1) {
      const listed = await askAt(second.served.url, 'GET', `/api/v1/tickets?per_page=100&page=${page}`, {
        headers: team,
      });
      found.push(...listed.json.data.map(({ subject }: { subject: string }) => subject));
      if (page >= listed.json.meta.last_page) break;
    }
    expect(found.length).toBe(new Set(found).size);
    expect([...new Set(answered)].filter((subject) => !found.includes(subject))).toEqual([]);
    const mail = join(second.environment.HELPDESK_DATA ?? '', 'mail');
    const sent = () => readdirSync(mail).filter((name) => name.endsWith('.eml')).length;
    await until(() => sent() > 0, 'a mail is written');
  });

  test('the one that comes back is a replica, and writes go on', async () => {
    first.litefs.setPrimary(false);
    first.litefs.namePrimary(second.host);
    first = { ...(await start(first.litefs)) };
    expect(await readyOf(first)).toMatchObject({ role: 'replica' });
    expect((await open(first, 'by the one that came back')).status).toBe(201);
    expect(await subjectsAt(first)).toContain('by the one that came back');
  });

  test('that both take themselves for the primary write nothing', async () => {
    first.litefs.namePrimary(null);
    first.litefs.setPrimary(true);
    for (const machine of [first, second])
      await until(async () => (await readyOf(machine)).code === 'unavailable', 'it sees the other');
    for (const machine of [first, second]) {
      const refused = await open(machine, 'by two');
      expect([refused.status, refused.json.code]).toEqual([503, 'unavailable']);
    }
    second.litefs.setPrimary(false);
    second.litefs.namePrimary(first.host);
    await until(async () => (await open(second, 'by one again')).status === 201, 'one of them has yielded');
    expect(await subjectsAt(first)).not.toContain('by two');
  });

  test('that dies of a fault is started again by its supervisor', async () => {
    const [desk = 0] = childrenOf(second.served.pid);
    process.kill(desk, 'SIGBUS');
    await until(() => second.served.errors().includes('The desk was ended by SIGBUS. It starts again'), 'it is told');
    await until(() => childrenOf(second.served.pid).length > 0, 'it is back');
    expect(childrenOf(second.served.pid)).not.toContain(desk);
    second = await again(second);
    expect(await readyOf(second)).toMatchObject({ status: 'ready' });
  });

  test('whose LiteFS is gone says so until it is back', async () => {
    rmSync(join(second.litefs.mount, '.lag'));
    await until(() => second.served.errors().includes('The desk lost its mount'), 'it is told');
    second = await again(second, 'LiteFS is not mounted');
    second.litefs.setLag(5);
    await until(async () => (await readyOf(second)).status === 'ready', 'it is back');
  });

  test('change their roles as planned: the primary hands over to the replica that is promoted', async () => {
    const refused = await command(second, 'promote');
    expect([refused.code, refused.output]).toEqual([2, '']);
    expect(refused.errors).toContain('LiteFS refused with status 409.');
    second.litefs.onPromote = () => {
      first.litefs.setPrimary(false);
      first.litefs.namePrimary(second.host);
      second.litefs.namePrimary(null);
      second.litefs.setPrimary(true);
    };
    expect((await open(first, 'while it hands over')).status).toBe(503);
    await until(async () => (await open(first, 'after it has resumed')).status === 201, 'it resumes');
    const promoted = await command(second, 'promote');
    expect(promoted.output).toContain(`${first.host} handed over: this machine is the primary.`);
    await until(async () => (await open(second, 'on the new primary')).status === 201, 'it writes');
    expect(await readyOf(second)).toMatchObject({ role: 'primary' });
  });

  test('stop when they are told to, with nothing but the database in the mount', async () => {
    for (const machine of [second, first]) {
      machine.served.signal('SIGTERM');
      expect(await machine.served.exited).toBe(0);
    }
    const names = readdirSync(first.litefs.mount);
    expect(names.filter((name) => !/^(?:helpdesk\.db(?:-wal|-shm|-pos)?|\.primary|\.lag)$/.test(name))).toEqual([]);
  });
});

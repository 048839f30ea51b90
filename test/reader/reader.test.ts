// The reader process: jobs within a budget, replaced when it is exceeded, ended when no one needs it.

import { afterEach, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { type Budget, mailBudget } from '../../src/reader/jobs.ts';
import type { ReadMailInput } from '../../src/reader/read-mail.ts';
import { createReader, type Reader, ReaderError } from '../../src/reader/reader.ts';
import { temporaryFolder } from '../support/folders.ts';

const folder = temporaryFolder();
const readers: Reader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.stop()));
});

function reader(options: Partial<Parameters<typeof createReader>[0]> = {}): Reader {
  const made = createReader({ log: silentLog, ...options });
  readers.push(made);
  return made;
}

let stored = 0;
function inputOf(message: string | Uint8Array): ReadMailInput {
  stored += 1;
  const path = join(folder, `request-${stored}`);
  writeFileSync(path, message);
  return {
    provider: 'raw',
    headers: {},
    path,
    folder,
    allowedTopicArns: [],
    trustedServers: [],
    senderChecks: null,
    documents: {},
    fileRules: { types: null, refused: [], maxBytes: 1024 * 1024 },
    own: { header: 'x-desk', headerValue: 'none' },
    isReleased: false,
    ownNames: [],
    isPlain: false,
    now: 0,
  };
}

const html = (body: string) => `From: mia@customer.example\r\nContent-Type: text/html\r\n\r\n${body}`;
const costly = html('<p>'.repeat(170_000));
const read = (from: Reader, message: string | Uint8Array, budget: Budget = mailBudget) =>
  from.run('read mail', inputOf(message), { budget });
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 500) throw new Error(`in vain: ${what}`);
    await Bun.sleep(20);
  }
}

test('reads a message in another process, which writes its files to the disk', async () => {
  const boundary = 'b';
  const message = [
    'From: Mia <mia@customer.example>',
    'Subject: Hello',
    `Content-Type: multipart/mixed; boundary=${boundary}`,
    '',
    `--${boundary}`,
    'Content-Type: text/html',
    '',
    '<b onclick="x()">Hello</b>',
    `--${boundary}`,
    'Content-Type: text/plain; name=notes.txt',
    'Content-Disposition: attachment; filename=notes.txt',
    '',
    'some notes',
    `--${boundary}--`,
  ].join('\r\n');
  const own = reader();
  const answer = await read(own, message);
  if (answer.kind !== 'message') throw new Error(answer.kind);
  expect(answer).toMatchObject({ classified: { kind: 'ordinary' }, folded: { body: 'Hello' }, html: '<b>Hello</b>' });
  expect(answer.message.from).toEqual({ name: 'Mia', address: 'mia@customer.example' });
  expect(answer.files).toMatchObject([{ filename: 'notes.txt', contentType: 'text/plain', size: 10 }]);
  expect(existsSync(answer.files[0]?.path ?? '')).toBe(true);
  expect(own.processIds()).toHaveLength(1);
});

test('refuses as the work refuses', async () => {
  const fault = await faultOf(read(reader(), new Uint8Array()));
  expect(fault).toMatchObject({ name: 'DeskError', code: 'malformed', message: 'The request has no body.' });
});

test('ends a process whose job takes too much processor time, and goes on with another', async () => {
  const own = reader({ most: 1 });
  await read(own, html('<p>first</p>'));
  const [before] = own.processIds();
  const over = faultOf(read(own, costly, { ...mailBudget, processorMs: 1 }));
  const after = read(own, html('<p>next</p>'));
  expect(await over).toMatchObject({ name: 'ReaderError', what: 'processor' });
  expect(await after).toMatchObject({ folded: { body: 'next' } });
  expect(own.processIds()).toHaveLength(1);
  expect(own.processIds()).not.toContain(before ?? 0);
  expect(isAlive(before ?? 0)).toBe(false);
});

test('ends a process whose job takes too much memory', async () => {
  const fault = await faultOf(read(reader(), costly, { ...mailBudget, memoryBytes: 1 }));
  expect(fault).toBeInstanceOf(ReaderError);
  expect(fault).toMatchObject({ what: 'memory' });
});

test('tells of a process that was killed under its job, and starts another', async () => {
  const own = reader({ most: 1 });
  await read(own, html('<p>first</p>'));
  const killed = faultOf(read(own, costly));
  process.kill(own.processIds()[0] ?? 0, 'SIGKILL');
  expect(await killed).toMatchObject({ what: 'crash' });
  expect(await read(own, html('<p>next</p>'))).toMatchObject({ folded: { body: 'next' } });
});

test('starts no more processes than it may, and ends them when they have nothing to do', async () => {
  const own = reader({ most: 2, idleMs: 1000 });
  await Promise.all(Array.from({ length: 12 }, (_, at) => read(own, html(`<p>${at}</p>`))));
  const ids = own.processIds();
  expect(ids).toHaveLength(2);
  await until(() => own.processIds().length === 0 && !ids.some(isAlive), 'the idle processes end');
  expect(await read(own, html('<p>again</p>'))).toMatchObject({ folded: { body: 'again' } });
});

test('refuses what waits when it is stopped, and leaves no process behind', async () => {
  const own = reader({ most: 1 });
  await read(own, html('<p>first</p>'));
  const ids = own.processIds();
  const faults = [1, 2, 3].map(() => faultOf(read(own, costly)));
  await own.stop();
  for (const fault of await Promise.all(faults)) expect(fault).toMatchObject({ code: 'unavailable' });
  expect(ids.some(isAlive)).toBe(false);
  expect(await faultOf(read(own, html('')))).toMatchObject({ code: 'unavailable' });
});

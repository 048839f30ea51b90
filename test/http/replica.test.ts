// Every operation on a replica: changes go to the primary, and everything else writes nothing.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Forwarded } from '../../src/cluster/forward.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { openStore } from '../../src/engine/database.ts';
import type { ClusterEdge } from '../../src/http/cluster-edge.ts';
import { isWrite } from '../../src/http/operation.ts';
import { allOperations } from '../../src/http/operations.ts';
import { createLiveFeed } from '../../src/http/streams/live-feed.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { pathOf, stepFor } from './walk.ts';

let app: TestApp;
const forwarded: Forwarded[] = [];
const refused = () => {
  throw new DeskError('unavailable', 'A replica was asked to write.');
};
const cluster: ClusterEdge = {
  node: {
    role: () => 'replica',
    isPrimary: () => false,
    claimsPrimary: () => Promise.resolve(false),
    requirePrimary: refused,
    primaryHost: () => 'node-1',
    formerPrimaries: () => ['node-1'],
    learnPrimaries: () => undefined,
    position: () => null,
    reach: () => Promise.resolve(true),
    replicationLagMs: () => 0,
    refresh: () => Promise.resolve('replica'),
    noteRival: () => undefined,
    onChange: () => () => true,
    stop: () => undefined,
  },
  peers: {
    sender: 'x',
    sign: () => '',
    verify: () => null,
    addressOf: () => '',
    ask: () => Promise.reject(new Error('no one')),
  },
  replicas: { note: () => undefined, all: () => [] },
  forward: (one) => {
    forwarded.push(one);
    return Promise.resolve(new Response('{}', { status: 201 }));
  },
};

beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const ids = (await allOperations({ next: () => Promise.resolve(), close: () => undefined }, 'http://x')).map(
  ({ id }) => id,
);

const postsThatRead = [
  'testIssuer',
  'testInboundRules',
  'readInvitation',
  'previewSignature',
  'previewSla',
  'previewMailTemplate',
  'readBoard',
];

describe('on a replica', () => {
  test.each(ids)('%s', async (id) => {
    const operation = app.operations.find((one) => one.id === id);
    if (!operation) throw new Error(id);
    app.edge.cluster = null;
    app.desk.writer.guard(() => undefined);
    const step = await stepFor(app, id);
    const headers = { ...(await app.welcome(operation)), ...step.headers };
    const body = step.form ? step.form() : step.body;
    const path = pathOf(operation.path, step);
    app.edge.cluster = cluster;
    app.desk.writer.guard(refused);
    forwarded.length = 0;
    const before = app.desk.writer.batches.commits;
    const answer = await app.ask(operation.method, path, { headers, body });
    expect(app.desk.writer.batches.commits).toBe(before);
    expect(answer.status).toBeLessThan(400);
    expect(forwarded).toHaveLength(isWrite(operation) ? 1 : 0);
    const reading = (operation.method === 'GET' && operation.isWritingGet !== true) || postsThatRead.includes(id);
    expect(isWrite(operation)).toBe(!reading);
    // An open reader would stall replication, and it also holds up a checkpoint.
    const other = openStore(app.path, 'OFF');
    const checkpoint = other.writing.client.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get();
    other.close();
    expect(checkpoint?.busy).toBe(0);
    expect(app.desk.store.reading.client.inTransaction).toBe(false);
  });

  test('a HEAD is treated as a read', async () => {
    app.edge.cluster = cluster;
    forwarded.length = 0;
    expect((await app.ask('HEAD', '/api/v1/openapi.json')).status).toBe(200);
    expect(forwarded).toEqual([]);
  });
});

test('a database error wakes requests that wait for events, and ends no process', async () => {
  let isGone = false;
  const feed = createLiveFeed({
    ...app.desk,
    generation: () => {
      if (isGone) throw new Error('the mount is gone');
      return '1';
    },
  });
  const waiting = feed.next(60_000, new AbortController().signal);
  isGone = true;
  await waiting;
  await feed.next(60_000, new AbortController().signal);
  feed.close();
});

test('no source changes the journal mode, locks the file exclusively or attaches another database', () => {
  const root = new URL('../..', import.meta.url).pathname;
  const listed = execFileSync('git', ['ls-files', 'src', 'cli', 'migrations'], { cwd: root, encoding: 'utf8' });
  const files = listed
    .trim()
    .split('\n')
    .filter((path) => existsSync(root + path));
  expect(files.length).toBeGreaterThan(100);
  // Takes the lock only to see whether a desk runs, before a restore, which refuses a database on LiteFS.
  const excepted = 'src/engine/check-database.ts';
  const forbidden = /journal_mode\s*=\s*(?!WAL\b)\w+|locking_mode\s*=\s*EXCLUSIVE|\bATTACH\s+(?:DATABASE\s+)?['"?:$]/i;
  const found = files.filter((path) => /\.(?:ts|sql)$/.test(path) && forbidden.test(readFileSync(root + path, 'utf8')));
  expect(found).toEqual([excepted]);
});

// The system over HTTP: for owners who have just proved who they are, and one run at a time.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

test('owners see the system, and no one else', async () => {
  const owner = await app.person('owner');
  const { status, json } = await app.ask('GET', '/api/v1/system', { headers: owner.headers });
  expect([status, json.data.trouble, json.data.outbox.failed, json.data.cluster]).toEqual([200, null, 0, null]);
  const admin = await app.person('admin');
  for (const path of ['/system', '/system/settings', '/system/backup/file'])
    expect((await app.ask('GET', `/api/v1${path}`, { headers: admin.headers })).status, path).toBe(403);
});

test('a second check or backup waits for the first', async () => {
  const { headers } = await app.person('owner');
  const started: string[] = [];
  const run = { state: 'running', started_at: '', ended_at: null, data: null, message: null } as const;
  app.edge.commands = {
    ...app.edge.commands,
    isRunning: (name) => started.includes(name),
    doctor(only) {
      started.push('doctor', only?.includes('totals_differ') ? `fixing ${only.length}` : 'looking');
      return run;
    },
    backup() {
      started.push('backup');
      return run;
    },
  };
  const post = async (path: string, body: object) =>
    (await app.ask('POST', `/api/v1/system/${path}`, { headers, body })).status;
  expect([await post('doctor', { fix: true }), await post('doctor', {})]).toEqual([202, 409]);
  started.length = 0;
  expect(await post('doctor', { fix: true, only: ['disk_low'] })).toBe(422);
  expect(await post('doctor', { fix: true, only: ['totals_differ'] })).toBe(202);
  expect([await post('backup', {}), await post('backup', {})]).toEqual([202, 409]);
  expect(started).toEqual(['doctor', 'fixing 1', 'backup']);
});

test('what is not there cannot be downloaded', async () => {
  const { headers } = await app.person('owner');
  app.edge.commands = { ...app.edge.commands, backupFile: () => null };
  for (const path of ['backup', 'backup/file'])
    expect((await app.ask('GET', `/api/v1/system/${path}`, { headers })).status).toBe(404);
});

// The disk refuses writes when a snapshot is due: the desk continues to read, reports it, and recovers by itself.

import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { mail } from '../desk/mail/mail-desk.ts';
import { helpdesk, newDirectory, type Served, serve, siteAndToken, unlimited } from '../e2e/executable.ts';
import { createDisk, EDQUOT, EIO, ENOSPC, EROFS } from '../support/faults.ts';

const cleanups: (() => void)[] = [];
afterAll(() => {
  for (const cleanup of cleanups.toReversed()) cleanup();
});

async function readiness(running: Served): Promise<{ status: number; code: string }> {
  const answer = await fetch(`${running.url}/readyz`);
  const { code = '' } = (await answer.json()) as { code?: string };
  return { status: answer.status, code };
}

async function create(running: Served, siteToken: string): Promise<Response> {
  return await fetch(`${running.url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'mia@customer.example', subject: 'Lamp', message: 'It is dark.' }),
  });
}

describe.concurrent('where everything that is written is refused', () => {
  test.each([
    ['EIO', EIO],
    ['ENOSPC', ENOSPC],
    ['EROFS', EROFS],
    ['EDQUOT', EDQUOT],
  ])('with %s, reads go on, writes are 503, /readyz is red, and all comes back', async (_, errno) => {
    const { path, remove } = newDirectory();
    cleanups.push(remove);
    const { siteToken, teamToken } = await siteAndToken(path);
    const disk = createDisk();
    const running = await serve(path, { ...unlimited, HELPDESK_SNAPSHOT_EVERY: '1s', ...disk.environment });
    const read = async () =>
      (await fetch(`${running.url}/api/v1/tickets`, { headers: { Authorization: `Bearer ${teamToken}` } })).status;
    expect((await create(running, siteToken)).status).toBe(201);
    disk.fail(`write /data/ ${errno}`, `sync /data/ ${errno}`);
    const refuses = async () => {
      const refused = await create(running, siteToken);
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await read()).toBe(200);
    };
    await refuses();
    await waitUntil('a snapshot was due and failed', running.errors, (log) => log.includes('"job":"snapshots"'));
    await refuses();
    expect(['storage_unavailable', 'outcome_unknown']).toContain((await readiness(running)).code);
    expect((await fetch(`${running.url}/healthz`)).status).toBe(200);
    disk.fail();
    await waitUntil(
      'ready again',
      () => readiness(running),
      ({ status }) => status === 200,
    );
    expect((await create(running, siteToken)).status).toBe(201);
    running.signal('SIGTERM');
    expect(await running.exited).toBe(0);
  });
});

test('files and mail are 503 where their folders have become read-only', async () => {
  const { path, remove } = newDirectory();
  cleanups.push(remove);
  const { siteToken } = await siteAndToken(path);
  const { output } = await helpdesk(path, ['site', 'create', '--name', 'Mail shop']);
  const secret = /inbound\/(hdi_\S+)/.exec(output)?.[1] ?? '';
  const running = await serve(path, { ...unlimited, HELPDESK_RATE_INBOUND: '0' });
  const opened = await create(running, siteToken);
  const { ticket, access_token: accessToken } = (await opened.json()) as {
    ticket: { ulid: string };
    access_token: string;
  };
  for (const name of ['attachments', 'mail']) {
    const folder = join(path, 'data', name);
    for (const args of [
      ['--bind', folder, folder],
      ['-o', 'remount,ro,bind', folder],
    ]) {
      const mounted = Bun.spawnSync(['mount', ...args]);
      if (mounted.exitCode !== 0) throw new Error(`This test has to mount: ${mounted.stderr}`);
    }
    cleanups.push(() => Bun.spawnSync(['umount', folder]));
  }
  const form = new FormData();
  form.append('file', new File(['y'.repeat(2000)], 'log.txt'));
  const upload = await fetch(
    `${running.url}/api/v1/public/tickets/${ticket.ulid}/attachments?access_token=${accessToken}`,
    { method: 'POST', headers: { 'X-Site-Token': siteToken }, body: form },
  );
  expect([upload.status, ((await upload.json()) as { code: string }).code]).toEqual([503, 'storage_unavailable']);
  expect(Number(upload.headers.get('retry-after'))).toBeGreaterThan(0);
  const arrived = await fetch(`${running.url}/api/webhooks/raw/inbound/${secret}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822' },
    body: mail({ from: 'mia@customer.example', subject: 'Dark', body: 'The lamp is dark.' }),
  });
  expect([arrived.status, ((await arrived.json()) as { code: string }).code]).toEqual([503, 'storage_unavailable']);
  running.signal('SIGTERM');
  await running.exited;
});

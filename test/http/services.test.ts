// The tests of the virus scanner and of the store of files, by the button of the settings.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { changeDesk } from '../../src/desk/desk-settings.ts';
import { deskInput } from '../../src/domain/input/people.ts';
import type { Scanner, Verdict } from '../../src/files/clamav.ts';
import { tryFiles, tryScanner } from '../../src/http/api/services.ts';
import { type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

function scannerThat(verdict: Verdict, seen: string[] = []): Scanner {
  return {
    async scan(bytes) {
      for await (const chunk of bytes) seen.push(Buffer.from(chunk).toString());
      return verdict;
    },
    isUp: async () => true,
    wasUp: () => true,
  };
}

test('a scanner works when it finds the test virus', async () => {
  const seen: string[] = [];
  expect(await tryScanner(scannerThat({ kind: 'infected', found: 'Eicar' }, seen))).toMatchObject({
    is_set: true,
    is_up: true,
    message: null,
  });
  expect(seen.join('')).toHaveLength(68);
  expect((await tryScanner(scannerThat({ kind: 'clean' }))).message).toBe('it found nothing in the test virus');
  const down = await tryScanner(scannerThat({ kind: 'down', why: 'it refused the connection', hadFile: false }));
  expect(down).toMatchObject({ is_up: false, message: 'it refused the connection' });
  expect(await tryScanner(null)).toMatchObject({ is_set: false, is_up: false });
});

test('a store works when it gives a file back, and keeps none of it', async () => {
  const kept: string[] = [];
  const { blobs } = app.edge;
  const watched = {
    ...blobs,
    remove: async (ulid: string) => {
      kept.push(ulid);
      await blobs.remove(ulid);
    },
  };
  expect(await tryFiles({ ...app.edge, blobs: watched })).toMatchObject({ is_set: false, is_up: true, message: null });
  expect(await blobs.size(kept[0] ?? '')).toBeNull();
  const broken = { ...blobs, stage: () => Promise.reject(new Error('no route to the bucket')) };
  const settings = () => [{ name: 'HELPDESK_S3_BUCKET', value: 'desk', source: 'file', meaning: '' }] as never;
  expect(await tryFiles({ ...app.edge, settings, blobs: broken, reportFault: () => undefined })).toMatchObject({
    is_set: true,
    is_up: false,
    message: 'no route to the bucket',
  });
});

test('a bucket that takes no new files is tried too', async () => {
  const own = { endpoint: 'https://s3.example.org', bucket: 'desk', region: 'eu-1', access_key_id: 'key' };
  const asked = deskInput.parse({ bucket: { ...own, stores_files: false, secret_access_key: 'hush' } });
  const ctx = app.desk.context({ kind: 'command_line' }, 'test');
  await app.desk.write((tx) => changeDesk(tx, ctx, asked, null, 'here') as never);
  const tried: string[] = [];
  const bucket = {
    place: 'here',
    try: async (_: unknown, secret: string) => {
      tried.push(secret);
      return { reason: 'store', message: 'GET: 403' } as const;
    },
  };
  expect(await tryFiles({ ...app.edge, bucket })).toMatchObject({ is_set: true, is_up: false, message: 'GET: 403' });
  expect(tried).toEqual(['hush']);
});

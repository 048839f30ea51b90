// The trial of a bucket before it is set: what it refuses is said, and nothing of the trial stays.

import { afterEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { tryBucket } from '../../src/files/try-bucket.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Failure, type FakeS3, fakeS3 } from '../support/s3.ts';

let store: FakeS3;
afterEach(() => store.close());

async function tried(key: string, method?: string, failure?: Failure): Promise<string | null> {
  store = await fakeS3('desk', 'the-key', 'eu-1');
  if (method !== undefined && failure !== undefined) store.fail(method, failure);
  const { endpoint } = store;
  return await tryBucket(
    { endpoint, bucket: 'desk', region: 'eu-1', accessKeyId: key, secretAccessKey: 'secret' },
    join(temporaryFolder(), 'staging'),
    Date.now(),
  );
}

test('a bucket that does all that the desk needs', async () => {
  expect(await tried('the-key')).toBeNull();
  expect(store.requests.map(({ method }) => method)).toEqual(['PUT', 'HEAD', 'GET', 'GET', 'DELETE', 'HEAD', 'GET']);
  expect(store.objects.size).toBe(0);
});

for (const [method, failure, said] of [
  ['PUT', 'denied', 'PUT: 403 AccessDenied no'],
  ['PUT', 'half', 'PUT: IncompleteBody 14 of 29 bytes were stored'],
  ['GET', 'denied', 'LIST: AccessDenied no'],
  ['GET', 'cut', 'GET: IncompleteBody 15 bytes are missing'],
  ['DELETE', 'denied', 'DELETE: 403 AccessDenied no'],
] as const)
  test(`a bucket whose ${method} is ${failure} is refused in the words of the store`, async () => {
    expect(await tried('the-key', method, failure)).toBe(said);
    if (method !== 'DELETE') expect(store.objects.size).toBe(0);
  });

test('a wrong key, and a store that is not there', async () => {
  expect(await tried('other-key')).toContain('403 AccessDenied');
  store.close();
  const gone = { endpoint: 'http://127.0.0.1:1', bucket: 'desk', region: 'eu-1' };
  const options = { ...gone, accessKeyId: 'the-key', secretAccessKey: 'secret' };
  expect(await tryBucket(options, join(temporaryFolder(), 'staging'), Date.now())).toMatch(/^PUT: /);
});

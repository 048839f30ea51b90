// Calls of an agent whose session ends while several of them are under way.

import { afterAll, expect, test } from 'bun:test';
import { ask, ended } from '../../src/web/shared/signed-in.ts';

const realFetch = globalThis.fetch;
afterAll(() => {
  globalThis.fetch = realFetch;
});

const signedOut = () => Response.json({ code: 'unknown_token', message: '' }, { status: 401 });

const signInAsked = () =>
  new Promise<string>((resolve) => {
    ended.subscribe((open) => open !== null && resolve('asked'));
  });

test('a refusal that comes after the agent has signed in again asks for no second sign-in', async () => {
  const late = Promise.withResolvers<Response>();
  const answers = new Map<string, (Response | Promise<Response>)[]>([
    ['/api/v1/early', [signedOut(), Response.json({ data: 'early' })]],
    ['/api/v1/late', [late.promise, Response.json({ data: 'late' })]],
  ]);
  globalThis.fetch = (async (url: string) => await answers.get(url)?.shift()) as unknown as typeof fetch;
  const [early, other] = [ask('GET', '/early'), ask('GET', '/late')];
  await signInAsked();
  ended.value?.onSignedIn();
  expect(await early).toMatchObject({ data: { data: 'early' } });
  late.resolve(signedOut());
  expect(await Promise.race([other, signInAsked()])).toMatchObject({ data: { data: 'late' } });
  expect(ended.value).toBeNull();
});

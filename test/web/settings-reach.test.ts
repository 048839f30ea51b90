// What can be configured has a screen: the calls that the code of the screens makes, against the table of operations.

import { expect, test } from 'bun:test';
import { defaultSettings } from '../../src/domain/sites/site.ts';
import { allOperations } from '../../src/http/operations.ts';
import { apiCalls, loadedWith } from '../support/api-calls.ts';

/** Every page but the list is loaded by it. A screen that no page names is in none of these files. */
const files = loadedWith('src/web/console/shell/open-page.tsx');
const { calls, unread } = apiCalls(files);

/** Decided: what has no screen, and why. */
const exceptions: Readonly<Record<string, string>> = {
  orderWebhookChannels: 'Their order changes nothing but the list.',
};

const operations = (await allOperations({ next: () => Promise.resolve(), close: () => undefined }, 'http://x')).map(
  ({ id, method, path, ability }) => ({ id, method, ability, path: path.replace('/api/v1', '') }),
);

/** The one with most words of its path in common: `/senders/order` is no sender. */
function operationOf({ method, path }: { method: string; path: string }) {
  const parts = path.split('/');
  const fixed = (one: { path: string }) => one.path.split('/').filter((part) => !part.startsWith('{')).length;
  return operations
    .filter((one) => {
      const own = one.path.split('/');
      const isSame = (part: string, at: number) => part.startsWith('{') || part === parts[at];
      return one.method === method && own.length === parts.length && own.every(isSame);
    })
    .sort((one, other) => fixed(other) - fixed(one))[0];
}

test('every call of the console can be read from its code, and is an operation', () => {
  expect(unread).toEqual([]);
  expect(calls.filter((call) => operationOf(call) === undefined)).toEqual([]);
});

test('every operation that configures something is called by a screen, or is a decided exception', () => {
  const called = new Set(calls.map((call) => operationOf(call)?.id));
  const configuring = operations.filter(
    ({ method, ability }) => method !== 'GET' && (ability === 'manage' || ability === 'own'),
  );
  const missing = configuring.filter(({ id }) => !called.has(id)).map(({ id }) => id);
  expect(missing.sort()).toEqual(Object.keys(exceptions).sort());
});

test('the calls of one screen go with it', () => {
  const ofScreen = (path: string) => apiCalls(loadedWith(`src/web/console/settings/${path}`)).calls;
  const ids = (path: string) => new Set(ofScreen(path).map((call) => operationOf(call)?.id));
  expect(ids('desk/teams-section.tsx')).toContain('updateTeam');
  expect(ids('desk/tokens-section.tsx')).not.toContain('updateTeam');
  // What components and functions are given is followed to where it is written.
  expect(ids('catalogue/custom-fields.tsx')).toContain('orderCustomFields');
  expect(ids('catalogue/categories.tsx')).not.toContain('orderCustomFields');
});

/** They are those of the first sender, which has a page. */
const ofFirstSender = ['mail_from_name', 'mail_from_address'];

test('every setting of a site is on a screen', () => {
  const text = [...files]
    .filter(([path]) => path.startsWith('src/web/console/settings/'))
    .map(([, source]) => source.text)
    .join('\n');
  const names = Object.keys(defaultSettings).filter((name) => !ofFirstSender.includes(name));
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

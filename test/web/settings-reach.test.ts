// What can be configured has a screen: made from the table of operations and from the settings of a site.

import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { defaultSettings } from '../../src/domain/sites/site.ts';
import { allOperations } from '../../src/http/operations.ts';

const root = new URL('../../src/web/console/', import.meta.url).pathname;
const read = (folder: string) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(`${root}${folder}/${name}`, 'utf8'))
    .join('\n');

/** Where the screens of the operations stand whose paths begin so. The longest beginning counts. */
const screens: Readonly<Record<string, string>> = {
  '/sites': 'settings',
  '/sites/{site}/held-mail': 'held-mail',
  '/sites/{site}/inbound-mail': 'held-mail',
  '/agents': 'settings/desk',
  '/teams': 'settings/desk',
  '/reports': 'reports',
  '/tokens': 'settings/desk',
  '/desk': 'settings/desk',
  '/mail-apps': 'settings/mail-apps',
  '/system': 'settings/system',
};

/** Decided: what has no screen, and why. */
const exceptions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['Trigger', 'TimedRule', 'RecurringTicket'].flatMap((name) =>
      ['create', 'update', 'delete'].map((verb) => [
        `${verb}${name}`,
        'The API and the command line have them so far.',
      ]),
    ),
  ),
  orderWebhookChannels: 'Their order changes nothing but the list.',
  syncMailbox: 'A mailbox is read all the time; its test shows whether that works.',
};

const all = (await allOperations({ next: () => Promise.resolve(), close: () => undefined }, 'http://x')).filter(
  ({ method, ability }) => method !== 'GET' && (ability === 'manage' || ability === 'own'),
);

test('every operation that configures something is reachable from a screen', () => {
  const sources = new Map(Object.values(screens).map((folder) => [folder, read(folder)]));
  const missing = all.filter(({ id, method, path: whole }) => {
    const path = whole.replace('/api/v1', '');
    const [begin = ''] = Object.keys(screens)
      .filter((one) => path.startsWith(one))
      .sort((one, other) => other.length - one.length);
    const text = sources.get(screens[begin] ?? '') ?? '';
    // The last part of its path that is no parameter stands in a path of the screen.
    const last = path.split('/').findLast((part) => !part.startsWith('{'));
    const isCalled = new RegExp(`[/'\`]${last}\\b`).test(text) && text.includes(`'${method}'`);
    return !isCalled && !(id in exceptions);
  });
  expect(missing.map(({ id }) => id)).toEqual([]);
});

/** They are those of the first sender, which has a page. */
const ofFirstSender = ['mail_from_name', 'mail_from_address'];

test('every setting of a site is on a screen', () => {
  const text = read('settings');
  const names = Object.keys(defaultSettings).filter((name) => !ofFirstSender.includes(name));
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

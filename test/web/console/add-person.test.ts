// Whom the list for adding a person offers.

import { expect, test } from 'bun:test';
import { offeredFor } from '../../../src/web/console/customers/add-person.tsx';

const mia = { email: 'mia@example.org', name: 'Mia' };
const nameless = { email: 'mia@example.org', name: null };
const bo = { email: 'bo@example.org', name: null };

test.each([
  ['nothing before a letter', '  ', [mia], [], []],
  ['each address once, with its name', 'mi', [nameless, mia, bo], [], ['mia@example.org', 'bo@example.org']],
  ['no one who is there already', 'mi', [mia, bo], ['bo@example.org'], ['mia@example.org']],
  ['a new address beside who was found', 'Mia@Example.com', [mia], [], ['mia@example.com', 'mia@example.org']],
  ['no address that is there already', 'bo@example.org', [], ['bo@example.org'], []],
  ['a known address as the known person', 'MIA@example.org', [mia], [], ['mia@example.org']],
  ['nothing that is no address', 'mia@example', [], [], []],
])('it offers %s', (_, typed, rows, without, emails) => {
  expect(offeredFor(typed, rows, without).map(({ email }) => email)).toEqual(emails);
});

// A ticket whose mail had no subject, as agents see it.

import { beforeAll, expect, test } from 'bun:test';
import { noSubject } from '../../../src/domain/tickets/subject.ts';
import { subjectText } from '../../../src/web/console/list/messages.ts';
import { loadMessages } from '../../../src/web/shared/messages.ts';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await loadMessages('de');
});

test.each([
  [noSubject, '(kein Betreff)'],
  ['', '(kein Betreff)'],
  [null, '(kein Betreff)'],
  ['gpj.\u202eexe', 'gpj.exe'],
])('%p is shown as %p', (subject, expected) => {
  expect(subjectText(subject)).toBe(expected);
});

// What the form for a new ticket holds, and what a macro makes of it.

import { expect, test } from 'bun:test';
import { bodyOf, filledMacro, valuesIn } from '../../../src/web/console/new-ticket/form-values.ts';
import type { Macro } from '../../../src/web/console/wire.ts';

const macro = (changes: Macro['changes']) => ({ body: 'Hi', body_format: 'text', changes }) as unknown as Macro;

test.each([
  [{ add_tags: ['vip'], remove_tags: ['trial'] }, 'eu vip'],
  [{ remove_tags: ['trial', 'eu'] }, ''],
  [{ status: 'pending' }, undefined],
] as const)('a macro with %p leaves the tags %p', (changes, tags) => {
  const values = valuesIn({ tags: 'trial eu' }, 1);
  expect(filledMacro(macro(changes as unknown as Macro['changes']), values, 'Shop').values.tags).toBe(tags as string);
});

test('how long a macro snoozes is kept beside the form, which has no field for it', () => {
  expect(filledMacro(macro({ snooze_hours: 4 } as Macro['changes']), valuesIn({}, 1), 'Shop').snoozeHours).toBe(4);
  expect(filledMacro(macro({} as Macro['changes']), valuesIn({}, 1), 'Shop').snoozeHours).toBeUndefined();
});

test('people in Cc are addresses with or without a name; what an older draft had is left out', () => {
  const cc = [
    { email: 'bo@example.org', name: 'Bo' },
    { email: 'di@example.org', name: null },
  ];
  const sent = bodyOf(valuesIn({ cc: [...cc, null, { email: 'erased' }, 'x@y.example'] }, 1), 'Hi', [], undefined);
  expect(sent.cc).toEqual([{ email: 'bo@example.org', name: 'Bo' }, { email: 'di@example.org' }]);
  expect(valuesIn({ cc: 'bo@example.org' }, 1).cc).toEqual([]);
});

// Why mail is held: what is written into the log can be read from it again.

import { expect, test } from 'bun:test';
import { heldCodes, heldCodesIn, heldText } from '../../../src/domain/mail/held-texts.ts';

const values = { address: 'mia.o-neil+x@example.org', count: '10', rule: '7', score: '-6.25', checks: 'SPF+DKIM' };
const written = (code: (typeof heldCodes)[number]) =>
  (heldText as (code: string, values: object) => string)(code, values);

test.each(heldCodes)('%s is read from its sentence, with its values', (code) => {
  const text = written(code);
  expect(text).not.toMatch(/[{}]|undefined/);
  const [found, ...others] = heldCodesIn(text);
  expect([found?.code, others]).toEqual([code, []]);
  for (const [name, value] of Object.entries(found?.values ?? {})) expect(value).toBe(values[name as 'count']);
  expect(written(found?.code ?? 'forged')).toBe(text);
});

test('several sentences are read one by one', () => {
  const text = `${heldText('spam_sender', { address: 'mia@example.org' })} ${heldText('cut_headers')}`;
  expect(heldCodesIn(text)).toEqual([
    { code: 'spam_sender', values: { address: 'mia@example.org' } },
    { code: 'cut_headers', values: {} },
  ]);
});

test('other words are no code, and neither are some of them beside others', () => {
  for (const text of ['', 'Rule 5: Advertising', `${heldText('cut_headers')} And more.`, ` ${heldText('cut_headers')}`])
    expect(heldCodesIn(text)).toEqual([]);
});

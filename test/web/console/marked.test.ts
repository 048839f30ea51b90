// The words of a search, marked in the text of a row.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { markedParts } from '../../../src/web/console/search/marked-parts.ts';

const shown = (text: string, search: string) =>
  markedParts(text, search)
    .map((part) => (part.isMarked ? `[${part.text}]` : part.text))
    .join('');

describe('the words of a search are marked', () => {
  test.each([
    ['The Invoice is wrong', 'invoice', 'The [Invoice] is wrong'],
    ['Café, cafe\u0301 and cafes', 'cafe', '[Café], [cafe\u0301] and cafes'],
    ['charged twice, twice charged', '"charged twice"', '[charged twice], twice charged'],
    ['invoice but no refund', 'invoice -refund -"no refund"', '[invoice] but no refund'],
    ['私のクレームです', 'クレーム', '私の[クレーム]です'],
    ['<b>invoice</b> & more', 'invoice', '<b>[invoice]</b> & more'],
    ['İstanbul 😀 refund', 'refund', 'İstanbul 😀 [refund]'],
    ['ΤΟ ΠΡΟΒΛΗΜΑ ΕΔΩ', 'πρόβλημα', 'ΤΟ [ΠΡΟΒΛΗΜΑ] ΕΔΩ'],
    ['프린터 오류'.normalize('NFD'), '프린터', `[${'프린터'.normalize('NFD')}] ${'오류'.normalize('NFD')}`],
    ['ガラス割れ'.normalize('NFD'), 'ガラス', `[${'ガラス'.normalize('NFD')}]割れ`.normalize('NFD')],
    ['Die Rech\u00adnungs\u00adnummer fehlt', 'Rechnungsnummer', 'Die [Rech\u00adnungs\u00adnummer] fehlt'],
    ['Rechnungsnummer', 'Rech\u00adnungs\u00adnummer', '[Rechnungsnummer]'],
    ['يا مُحَمَّد', 'محمد', 'يا [مُحَمَّد]'],
    ['שָׁלוֹם לך', 'שלום', '[שָׁלוֹם] לך'],
    ['का की', 'की', 'का [की]'],
    ['nothing of it', '* ( [ \\', 'nothing of it'],
  ])('%p, %p', (text, search, marked) => {
    expect(shown(text, search)).toBe(marked);
  });

  test('and the text stays what it was, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, search) => {
        const whole = text.toWellFormed();
        expect(
          markedParts(whole, search)
            .map((part) => part.text)
            .join(''),
        ).toBe(whole);
      }),
    );
  });
});

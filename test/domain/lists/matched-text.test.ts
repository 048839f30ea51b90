// Where the words of a search stand in a text.

import { describe, expect, test } from 'bun:test';
import { findersOf, matchedPiece } from '../../../src/domain/lists/matched-text.ts';

const piece = (lines: string[], ...terms: string[]) => matchedPiece(lines, findersOf(terms));
const filler = 'word '.repeat(60);

describe('a piece of a text', () => {
  test('is its beginning while the words are near it', () => {
    expect(piece(['The Invoice is wrong'], 'invoice')).toBe('The Invoice is wrong');
  });

  test('begins shortly before words that stand further on, without case and accents', () => {
    expect(piece([`${filler}the Café bill is wrong`], 'cafe')).toMatch(/^…(?:word ){3,6}the Café bill is wrong$/);
    expect(piece([`${'é'.repeat(300)} ${'x'.repeat(90)} bill`], 'bill')).toMatch(/^…x{20,24} bill$/);
  });

  test('has whole words and phrases, in scripts without spaces any run of characters', () => {
    expect(piece(['invoices reinvoice'], 'invoice')).toBeNull();
    expect(piece(['invoices, reinvoice, 𝒳invoice; invoice!'], 'invoice')).toEndWith('invoice!');
    expect(piece(['charged me twice', 'charged - twice'], 'charged twice')).toBe('charged - twice');
    expect(piece([`${'あ'.repeat(90)}クレーム`], 'クレーム')).toMatch(/^…あ{24}クレーム$/);
  });

  test('comes from the first text with most of the words', () => {
    expect(piece(['a refund', 'an invoice', 'invoice and refund', 'refund of an invoice'], 'invoice', 'refund')).toBe(
      'invoice and refund',
    );
    expect(piece(['nothing here'], 'invoice')).toBeNull();
  });

  test('is found in every form of the words', () => {
    expect(piece([`${filler}Rech\u00adnungs\u00adnummer`], 'rechnungsnummer')).toEndWith(
      ' Rech\u00adnungs\u00adnummer',
    );
    expect(piece([`${'프린터 '.repeat(40)}오류`.normalize('NFD')], '오류')?.normalize('NFC')).toMatch(/^….{5,30}오류$/);
    expect(piece([`${'ｶﾞ'.repeat(90)} προβλημα`], 'Πρόβλημα')).toMatch(/^….{20,25} προβλημα$/);
    expect(piece(['का'], 'क')).toBeNull();
  });

  test('is cut between characters', () => {
    const cut = piece([`${'😀'.repeat(100)}, invoice`], 'invoice') ?? '';
    expect(cut.isWellFormed()).toBe(true);
    expect(cut).toEndWith('😀, invoice');
  });
});

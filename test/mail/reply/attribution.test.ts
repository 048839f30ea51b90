// Where an introduction begins: the customer's own line directly above it does not belong to it.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { foldReply } from '../../../src/mail/reply/body.ts';
import { caseCount } from '../../support/case-count.ts';
import { quotedTails, rarerTails } from '../replies.ts';

const marked = '\n\n>     kim <https://forum.example/u/kim>\n> 15 August\n>\n> Did it work?\n';

describe('a sentence that is wrapped right above an introduction', () => {
  test.each([
    [
      'Dutch, wrapped itself',
      'Misschien ligt het aan de blokker van @kim. Helaas heb ik pas over\n2 weken tijd om dat te testen. Ik laat het je dan weten...',
      'Op 16 aug. 2026 05:13 schreef "kim" <info@forum.example> het\nvolgende geschreven:',
    ],
    [
      'Dutch, with a date in the sentence',
      'Ik heb het getest en\nop 14 aug. 2026 om 10:00 werkte het nog,',
      'Op 16 aug. 2026 05:13 schreef Kim <info@forum.example>:',
    ],
    [
      'English, with an address in the sentence',
      'I have asked Jo <jo@example.com>\nand Lee <lee@example.com> too.',
      'On 16 Aug 2026 at 05:13, Kim <info@forum.example>\nwrote:',
    ],
    [
      'English, with a date that begins the line',
      'It broke. I saw it\n16.08.2026 for the first time',
      'Kim <info@forum.example> wrote:',
    ],
    [
      'English, with a date and a time',
      'I tested it\nOn 16 Aug 2026 at 10:00 together with',
      'Kim <info@forum.example> wrote:',
    ],
    [
      'German, wrapped itself',
      'Die Drucker stehen still, und bis zum\n20.08.2026 brauchen wir sie wieder',
      'Am 16.08.2026 um 05:13 schrieb Kim Muster <\ninfo@forum.example>:',
    ],
  ])('%s', (_name, sentence, introduction) => {
    expect(foldReply(`${sentence}\n${introduction}${marked}`).body).toBe(sentence);
  });

  test.each([
    'It fails again\non 16 Aug 2026 at 10:00!\n<info@forum.example> wrote:\n> no\n',
    'It fails again\non 16 Aug 2026 at 10:00, see the attachment.\n<info@forum.example> wrote:\n> no\n',
  ])('where no name tells where the introduction begins, all of it stays: %p', (text) => {
    expect(foldReply(text)).toMatchObject({ body: text.trimEnd(), foldedAway: false });
  });

  test('an introduction that is wrapped within the name goes whole', () => {
    const text = 'It works.\nOn Wed, 16 Aug 2026 at 5:13 PM Kim Very\nLong Name <info@forum.example> wrote:';
    expect(foldReply(`${text}${marked}`).body).toBe('It works.');
  });

  test('a property: no word of a paragraph is lost above any introduction', () => {
    const word = fc.constantFrom(
      'in',
      '2',
      'weeks',
      'I',
      'will',
      '16',
      'tell',
      'Kim',
      'you',
      'then...',
      'at',
      '10:00',
      'on',
    );
    const tails = [...quotedTails, ...rarerTails].map(([, tail]) => tail).filter((tail) => !tail.startsWith('-'));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.constantFrom(...tails), (words, tail) => {
        const text = `It failed, and I have only time to look\n${words.join(' ')}`;
        expect(foldReply(`${text}\n${tail}`).body).toStartWith(text);
      }),
      { numRuns: caseCount(200, 3000) },
    );
  });
});

describe('what is not folded is as it was sent', () => {
  test('blank lines and indentation stay', () => {
    const text = '    indented\n\n\n\n\tby a tab  \n\n\n  1. one\n\n\n     two\u00a0words';
    expect(foldReply(`\n\n${text}\n\n`)).toMatchObject({ body: text, whole: text, foldedAway: false });
    expect(foldReply(`${text}\n\n${quotedTails[0]![1]}`)).toMatchObject({ body: text, foldedAway: true });
  });

  test('a property: text without quotation is left alone', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/[>|@<\d_*–—-]/.test(text)),
      fc.constantFrom(
        ...[
          '\n',
          '\n\n\n',
          '  ',
          '\t',
          ' \n',
          '\u00a0',
          'On Monday',
          'Am Montag',
          'wrote:',
          'schreef:',
          'писал',
          '2026',
        ],
        ...[
          'From: home',
          'Van: Parijs',
          'Subject: x',
          'Date: 3 May',
          'Name: Jo',
          '15:14',
          '8.9.2026',
          'a\n===\nb',
          '...',
        ],
        ...[
          'Regards,',
          'Cheers',
          'Sent from home',
          'confidential',
          '| a | b |',
          '1. ',
          '- one',
          'Kim',
          '发自',
          '写道：',
        ],
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const sent = pieces.join('').replaceAll('\r', '');
        const bare = sent.replace(/^(?:\s*\n)?/, '').trimEnd();
        expect(foldReply(sent)).toEqual({ body: bare, whole: bare, foldedAway: false, isCut: false });
      }),
      { numRuns: caseCount(200, 3000) },
    );
  });
});

test('the name of a desk can have words in lower case, and a sentence that names someone stays', () => {
  const quoted = '\n\n> Which printer is it?\n>\n> --\n> Web shop\n';
  for (const line of [
    'On Tue, Nov 24, 2026 at 9:31\u202fAM Web shop <help@desk.example> wrote:',
    'Am Di., 24. Nov. 2026 um 09:31 Uhr schrieb Bäckerei online <help@desk.example>:',
  ])
    expect(foldReply(`The red one.\n\n${line}${quoted}`).body).toBe('The red one.');
  const told = 'On 24 Nov 2026 at 9:31 your colleague told Kim <kim@desk.example> and wrote:';
  expect(foldReply(`${told}${quoted}`).body).toContain(told);
});

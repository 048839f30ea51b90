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

describe('a name of any words, between a moment and an address, with marked lines below', () => {
  const names = [
    'Web shop',
    'Acme customer care',
    'Acme customer care and returns',
    'acme support team',
    'the friendly people of the city library',
    'Boutique en ligne',
    'Service client de la boutique en ligne',
    'Kundendienst der vereinigten Stadtwerke',
    'Klantenservice van de webwinkel',
    'Atención al cliente de la tienda',
    'Shop 24, das beste von allem',
    'Fa. Meier und Partner',
    'support@desk.example',
  ];
  const introductions: [program: string, write: (name: string) => string][] = [
    ['en Gmail', (name) => `On Fri, Nov 27, 2026 at 10:05\u202fAM ${name} <help@desk.example> wrote:`],
    ['en Apple Mail', (name) => `On 27 Nov 2026, at 10:05, ${name} <help@desk.example> wrote:`],
    ['en Yahoo', (name) => `On Friday, November 27, 2026 at 10:05:33 AM GMT+1, ${name} <help@desk.example> wrote:`],
    ['de Gmail', (name) => `Am Fr., 27. Nov. 2026 um 10:05 Uhr schrieb ${name} <help@desk.example>:`],
    ['de Apple Mail', (name) => `Am 27.11.2026 um 10:05 schrieb ${name} <help@desk.example>:`],
    ['fr Gmail', (name) => `Le ven. 27 nov. 2026 à 10:05, ${name} <help@desk.example> a écrit :`],
    ['fr Apple Mail', (name) => `Le 27 nov. 2026 à 10:05, ${name} <help@desk.example> a écrit :`],
    ['es Gmail', (name) => `El vie, 27 nov 2026 a las 10:05, ${name} (<help@desk.example>) escribió:`],
    ['es Apple Mail', (name) => `El 27 nov 2026, a las 10:05, ${name} <help@desk.example> escribió:`],
    ['nl Gmail', (name) => `Op vr 27 nov 2026 om 10:05 schreef ${name} <help@desk.example>:`],
    ['nl Apple Mail', (name) => `Op 27 nov 2026, om 10:05 heeft ${name} <help@desk.example> het volgende geschreven:`],
  ];
  const quoted = '> Please restart the app.\n>\n> Kind regards,\n> Kim\n>\n';

  test.each(introductions)('%s', (_program, write) => {
    for (const name of names) {
      const line = write(name);
      const wrapped = [line, line.replace(' <help@', ' <\nhelp@'), line.replace('@desk.example> ', '@desk.example>\n')];
      for (const each of wrapped)
        for (const gap of ['\n', '\n\n']) {
          expect([each, foldReply(`It works now, thank you.\n\n${each}${gap}${quoted}`).body]).toEqual([
            each,
            'It works now, thank you.',
          ]);
          // The answer below the quotation.
          expect([each, foldReply(`${each}${gap}${quoted}\nIt works now, thank you.`).body]).toEqual([
            each,
            'It works now, thank you.',
          ]);
        }
    }
  });

  test.each([
    'On 27 Nov 2026 at 10:05 someone who said that they are Kim <kim@desk.example> and no one else wrote:',
    'On 27 Nov 2026 at 10:05 your people told Kim <kim@desk.example> and she wrote:',
    'On 27 Nov 2026 at 10:05 it broke again. After that your colleague Kim <kim@desk.example> wrote:',
    'I was told on the phone on 27 Nov 2026 at 10:05 that your colleague Kim <kim@desk.example> wrote:',
    'Gestern um kurz vor 10:05 am 27.11.2026 sagte Ihre freundliche Kollegin <kim@desk.example>:',
  ])('a sentence of the customer stays: %s', (line) => {
    expect(foldReply(`${line}\n${quoted}\nIs that right?`).body).toContain(line);
  });

  test('a name of the desk needs no marks', () => {
    for (const name of names.filter((each) => !each.includes('@'))) {
      for (const [, write] of introductions)
        for (const each of [write(name), write(`"${name}"`), write(name.toUpperCase())])
          expect([
            each,
            foldReply(`Thank you.\n\n${each}\n\nHello,\nKim\n`, '', { ownNames: ['Help', name] }).body,
          ]).toEqual([each, 'Thank you.']);
      const told = `On 27 Nov 2026 at 10:05 your colleague from ${name} <help@desk.example> wrote:\nIt works.\n\nNo.`;
      expect(foldReply(told, '', { ownNames: [name] })).toMatchObject({ body: told, foldedAway: false });
    }
  });

  test('without marked lines below, the customer’s words stay', () => {
    const text =
      'On 27 Nov 2026 at 10:05 the friendly people of the library <help@desk.example> wrote:\nIt works.\n\nIt does not.';
    expect(foldReply(text)).toMatchObject({ body: text, foldedAway: false });
  });
});

// What decides the folding: email-reply-parser does most, our words the rest, each with a text that needs it.
import { describe, expect, test } from 'bun:test';
import { foldReply } from '../../src/mail/reply/body.ts';
import { replyLibrary } from '../../src/mail/reply/library.ts';
import { libraryOpenings } from '../../src/mail/reply/quotes/attributions.ts';
import { labelLanguages } from '../../src/mail/reply/quotes/header-labels.ts';
import { originalMessage } from '../../src/mail/reply/quotes/separators.ts';
import {
  foldedReplies,
  foldings,
  isRight,
  provingWords,
  questionsOf,
  recognisingWords,
  withoutLibrary,
  withoutOurWords,
  withoutWords,
} from './deciders.ts';
import { quotedTails } from './replies.ts';

test('every text is folded as it should be', () => {
  expect(foldings.filter((folding) => !isRight(folding))).toEqual([]);
});

describe('the library decides the bulk', () => {
  test('of the hundred replies, most are folded with no recognising word of ours', () => {
    expect(quotedTails).toHaveLength(100);
    expect(withoutOurWords(foldedReplies).length).toBeGreaterThanOrEqual(65);
  });

  test('half are not folded without it', () => {
    expect(withoutLibrary(foldedReplies).length).toBeLessThanOrEqual(50);
  });

  test('with neither, only what proves itself is left', () => {
    expect(withoutLibrary(() => withoutOurWords(foldedReplies)).length).toBeLessThanOrEqual(11);
    expect(foldedReplies()).toHaveLength(100);
  });
});

describe('our words are what it misses', () => {
  test.each(['recognising', 'proving'])('each %s word has a text that is folded wrongly without it', (kind) => {
    const needless: Record<string, string[]> = {};
    for (const [name, list] of Object.entries(kind === 'proving' ? provingWords : recognisingWords)) {
      const idle = list.filter((word) => {
        const concerned = foldings.filter(
          ({ text, subject }) =>
            word instanceof RegExp || list === libraryOpenings || `${subject}\n${text}`.toLowerCase().includes(word),
        );
        return withoutWords(list, [word], () => concerned.every(isRight));
      });
      if (idle.length > 0) needless[name] = idle.map(String);
    }
    expect(needless).toEqual({});
  });

  test('it knows none of our separators, and none of our labels of senders', () => {
    const library = replyLibrary();
    expect(originalMessage.filter((words) => library.isHead(`-----${words}-----`))).toEqual([]);
    const senders = labelLanguages.flatMap(({ from }) => from).map((label) => label[0]?.toUpperCase() + label.slice(1));
    expect(senders.filter((label) => library.isHead(`${label}: Jo <a@b>`))).toEqual([]);
  });
});

describe('what it costs to ask', () => {
  const hostile = {
    'line after line': Array.from({ length: 3000 }, (_, at) => `On 2026-01-01 10:00 a${at} wrote:`).join('\n'),
    'lines as long as may be': `On 2026-01-01 10:00 ${'on at '.repeat(70)}wrot:\n`.repeat(50),
    separators: Array.from({ length: 3000 }, (_, at) => `---- x${at} ----`).join('\n'),
    blocks: Array.from({ length: 500 }, (_, at) => `X${at}: <a@b>\nDate: 1\nTo: x\nSubject: x\n`).join('\n'),
  };

  test.each(Object.entries(hostile))('no text asks without end: %s', (_name, text) => {
    const questions = questionsOf(() => foldReply(text));
    expect(questions.length).toBeLessThanOrEqual(200);
    expect(Math.max(0, ...questions.map((each) => each.length))).toBeLessThanOrEqual(201);
  });

  test('a reply asks some times, and one that quotes nothing never', () => {
    for (const { text, subject } of foldings) {
      expect(questionsOf(() => foldReply(text, subject)).length).toBeLessThanOrEqual(12);
    }
    const plain = 'It fails.\n\n'.repeat(200);
    expect(questionsOf(() => foldReply(plain))).toEqual([]);
  });

  test.each([
    ['From: ', '<', ''],
    ['El ', 'escribió ', 'x'],
    ['Am ', ' schrieb<', '>x:'],
    ['', '0000from<', '>:x'],
    ['01.01.2026', '11.11"<', '>:x'],
    ['a', ' onat', 'wrote:x'],
    ['On ', 'a ', ':'],
  ])('the worst question of %p and %p has an answer', (first, piece, last) => {
    const question = first + piece.repeat((200 - first.length - last.length) / piece.length) + last;
    expect(replyLibrary().isHead(question)).toBeBoolean();
  });
});

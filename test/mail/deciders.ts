// Folding with something removed, to see what decides: the library, or some of our words.
import EmailReplyParser from 'email-reply-parser';
import { foldReply } from '../../src/mail/reply/body.ts';
import {
  attributionWords,
  libraryOpenings,
  ownVoice,
  verbsAfterNames,
  wordsBeforeNames,
} from '../../src/mail/reply/quotes/attributions.ts';
import { copyLabels, labelLanguages } from '../../src/mail/reply/quotes/header-labels.ts';
import {
  answersWithin,
  forwardedMessage,
  forwardPrefixes,
  originalMessage,
  replyAbove,
} from '../../src/mail/reply/quotes/separators.ts';
import {
  devices,
  disclaimerWords,
  sendingEnds,
  sendingTails,
  sendingWords,
} from '../../src/mail/reply/quotes/signatures.ts';
import * as replies from './replies.ts';

type Words = readonly (string | RegExp)[];

/** Words of ours that recognise a line, like the library. */
export const recognisingWords: Readonly<Record<string, Words>> = {
  attributionWords,
  originalMessage,
  replyAbove,
  sendingWords,
  sendingEnds,
  ...Object.fromEntries(labelLanguages.map(({ code, from }) => [`from, ${code}`, from])),
};

/** Words of ours that prove what was recognised, or keep it anyway. */
export const provingWords: Readonly<Record<string, Words>> = {
  libraryOpenings,
  ownVoice,
  wordsBeforeNames,
  verbsAfterNames,
  copyLabels,
  ...Object.fromEntries(labelLanguages.map(({ code, date }) => [`date, ${code}`, date])),
  ...Object.fromEntries(labelLanguages.map(({ code, to }) => [`to, ${code}`, to])),
  ...Object.fromEntries(labelLanguages.map(({ code, subject }) => [`subject, ${code}`, subject])),
  forwardedMessage,
  forwardPrefixes,
  answersWithin,
  devices,
  sendingTails,
  ...Object.fromEntries(disclaimerWords.map((words) => [`disclaimerWords, ${words[0]}`, words])),
};

type Folding = { text: string; subject: string; body: string };
const sentence = 'The second tray is empty.\nWhat now?';
const block = 'From: Kim <kim@example.com>\nSent: 8 Sep 2026 15:14\nTo: Jo\nSubject: Printer\n\nIt burns.';
const folded = (closing: string): Folding => ({
  text: `${sentence}\n\n${closing}`,
  subject: 'Re: Printer',
  body: sentence,
});
const kept = (text: string, subject = 'Re: Printer'): Folding => ({ text, subject, body: text });

/** Every line of test/mail/replies.ts in a message, and what must be left of it. */
export const foldings: readonly Folding[] = [
  ...[...replies.quotedTails, ...replies.rarerTails].map(([, tail]) => folded(tail)),
  ...replies.separators.map((line) => folded(`${line}\n\nHello`)),
  ...[...replies.mobileSignatures, ...replies.disclaimers].map(folded),
  ...replies.forwardMarkers.map((line) => kept(`Can you help him?\n\n${line}\n${block}`, 'Printer')),
  ...replies.forwardSubjects.map((subject) => kept(`Can you help him?\n\n${block}`, subject)),
  ...replies.answersAnnounced.map((words) => kept(`${words}\n\n${block}`)),
  ...replies.ownVoices.map((line) => kept(`Nobody has answered me.\n\n${line}\n> it is broken.`)),
  ...replies.keptWhole.map(([, text]) => kept(text, '')),
];

export const isRight = ({ text, subject, body }: Folding): boolean => foldReply(text, subject).body === body;

/** Which of the hundred replies are folded. */
export const foldedReplies = (): string[] =>
  replies.quotedTails.filter(([, tail]) => isRight(folded(tail))).map(([name]) => name);

/** The result of `look` when the list lacks some of its words. */
export function withoutWords<T>(list: Words, lacking: Words, look: () => T): T {
  const live = list as (string | RegExp)[];
  const all = [...live];
  live.splice(0, live.length, ...all.filter((word) => !lacking.includes(word)));
  try {
    return look();
  } finally {
    live.splice(0, live.length, ...all);
  }
}

/** The result of `look` when no word of ours recognises anything. */
export function withoutOurWords<T>(look: () => T, lists: readonly Words[] = Object.values(recognisingWords)): T {
  const [first, ...rest] = lists;
  return first === undefined ? look() : withoutWords(first, first, () => withoutOurWords(look, rest));
}

/** The result of `look` when the library knows nothing. */
export function withoutLibrary<T>(look: () => T): T {
  const { read } = EmailReplyParser.prototype;
  const empty = new EmailReplyParser().read('');
  EmailReplyParser.prototype.read = () => empty;
  try {
    return look();
  } finally {
    EmailReplyParser.prototype.read = read;
  }
}

/** How often, and for how long, the library is asked during `look`. */
export function questionsOf(look: () => void): string[] {
  const { read } = EmailReplyParser.prototype;
  const questions: string[] = [];
  EmailReplyParser.prototype.read = function (text) {
    questions.push(text);
    return read.call(this, text);
  };
  try {
    look();
  } finally {
    EmailReplyParser.prototype.read = read;
  }
  return questions;
}

// Compares how replies are folded: by email-reply-parser inside our code, and by two libraries on their own, on shapes,
// real messages and hostile lines (docs/adr/0001).

import EmailReplyParser from 'email-reply-parser';
import { extractFromPlain } from 'planer';
import { parseMail } from '../src/mail/inbound/parse.ts';
import { foldReply } from '../src/mail/reply/body.ts';
import { corpus } from '../test/mail/corpus.ts';
import { foldedReplies, foldings, questionsOf, withoutLibrary, withoutOurWords } from '../test/mail/deciders.ts';
import { keptWhole, quotedTails } from '../test/mail/replies.ts';

const isShowing = process.argv.includes('--show');
const longestTryMs = 1000;

type Fold = (text: string) => string;
const folds: Record<string, Fold> = {
  ours: (text) => foldReply(text, 'Re: Printer').body,
  'email-reply-parser': (text) => new EmailReplyParser().read(text).getVisibleText(),
  planer: extractFromPlain,
};

const linesOf = (text: string) =>
  text
    .replaceAll('\u00a0', ' ')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
const isSame = (one: string, other: string) => linesOf(one).join('\n') === linesOf(other).join('\n');

/** The text above must be all that is left, and a text without quotation must stay complete. */
function shapes(fold: Fold) {
  const sentence = 'The second tray is empty.\nWhat now?';
  const right = quotedTails.filter(([, tail]) => isSame(fold(`${sentence}\n\n${tail}`), sentence)).length;
  const cut = keptWhole.filter(([, text]) => !isSame(fold(text), text)).map(([name]) => name);
  return {
    'history folded': `${right} of ${quotedTails.length}`,
    'own words lost': `${cut.length} of ${keptWhole.length}`,
  };
}

async function realTexts(): Promise<[string, string][]> {
  const texts: [string, string][] = [];
  for (const { file, raw } of corpus()) {
    const message = await parseMail(raw).catch(() => null);
    if (message?.text?.trim()) texts.push([file, message.text]);
  }
  return texts;
}

/** Lines of a real message that another library hides and ours keeps, or the other way round; --show prints them. */
function real(texts: readonly [string, string][], fold: Fold) {
  let hidesMore = 0;
  let keepsMore = 0;
  for (const [file, text] of texts) {
    const mine = linesOf(foldReply(text).body);
    const theirs = linesOf(fold(text));
    const hidden = mine.filter((line) => !theirs.includes(line));
    const kept = theirs.filter((line) => !mine.includes(line));
    if (hidden.length > 0) hidesMore += 1;
    if (kept.length > 0) keepsMore += 1;
    if (isShowing && hidden.length + kept.length > 0) console.log(file, { hidden, kept });
  }
  return { 'hides more than ours': `${hidesMore} of ${texts.length}`, 'keeps more': `${keepsMore} of ${texts.length}` };
}

const hostile = [
  'On ',
  'On a b\n',
  'Op \nschreef ',
  'Dnia \n',
  '在\n',
  'a. \n skrev ',
  'From: ',
  ' ',
  '-',
  '\n',
  '> \n',
  'abc <',
];

/** The first text of a hostile piece, doubled each time, that takes longer than a second. */
function slowest(fold: Fold) {
  let worst = { characters: Number.POSITIVE_INFINITY, ms: 0, piece: '' };
  for (const piece of hostile) {
    for (let characters = 2_000; characters <= 256_000 && characters < worst.characters; characters *= 2) {
      const text = piece.repeat(Math.ceil(characters / piece.length));
      const began = performance.now();
      fold(text);
      const ms = performance.now() - began;
      if (ms > longestTryMs) worst = { characters, ms: Math.round(ms), piece };
    }
  }
  return worst.piece === ''
    ? { 'over a second': 'never up to 256,000 characters' }
    : { 'over a second': `at ${worst.characters} characters of ${JSON.stringify(worst.piece)}: ${worst.ms} ms` };
}

/** Removes each decider in turn to see which one decides, and counts the questions to the library. */
function deciders() {
  const [whole, byLibrary, byWords] = [foldedReplies(), withoutOurWords(foldedReplies), withoutLibrary(foldedReplies)];
  if (isShowing) {
    console.log('need a word of ours:', whole.filter((name) => !byLibrary.includes(name)).join('; '));
    console.log('need the library:', whole.filter((name) => !byWords.includes(name)).join('; '));
  }
  const questions = foldings.map(({ text, subject }) => questionsOf(() => foldReply(text, subject)));
  const all = questions.flat();
  const began = performance.now();
  for (const question of all) new EmailReplyParser().read(question);
  const spent = (performance.now() - began) / all.length;
  return {
    'folded with the library and no recognising word of ours': `${byLibrary.length} of ${quotedTails.length}`,
    'with our words and no library': byWords.length,
    'with neither': withoutLibrary(() => withoutOurWords(foldedReplies)).length,
    questions: `${(all.length / foldings.length).toFixed(1)} a text, at most ${Math.max(...questions.map((each) => each.length))}, ${Math.round(spent * 1000)} µs each`,
  };
}

const written = (row: object) =>
  Object.entries(row)
    .map(([what, value]) => `${what} ${value}`)
    .join('; ');

const texts = await realTexts();
console.log(`who decides: ${written(deciders())}`);
for (const [name, fold] of Object.entries(folds)) {
  if (isShowing && name !== 'ours') console.log(`\n${name}`);
  const row = { ...shapes(fold), ...(texts.length > 0 && name !== 'ours' ? real(texts, fold) : {}), ...slowest(fold) };
  console.log(`${name}: ${written(row)}`);
}

// What email-reply-parser is asked: one line at a time, is it the head of a quotation, is it a signature.
import EmailReplyParser from 'email-reply-parser';
import { libraryOpenings } from './quotes/attributions.ts';

/**
 * The library folds whole texts too, but then takes "Regards," or a line of "====" for the end and hides what stands
 * below, and its patterns backtrack. So it is asked about single lines, and src/mail/reply/folding.ts asks for more before it
 * believes. The worst question of this length takes half a millisecond, and a text may ask so many.
 */
const longestQuestion = 200;
const mostQuestions = 200;

export type ReplyLibrary = {
  /** "From: <name> <address>", "-----Original Message-----". */
  isHead(line: string): boolean;
  /** "On <date>, <name> wrote:", "<name> wrote:". */
  isIntroduction(line: string): boolean;
  /** "Sent from <device>"; also "Regards," and rules, which are not for us to fold. */
  isSignature(line: string): boolean;
};

type Answer = { isHead: boolean; isSignature: boolean };
const no: Answer = { isHead: false, isSignature: false };

/** The library for one text. A text that asks too much gets no for an answer, and keeps its lines. */
export function replyLibrary(): ReplyLibrary {
  const answers = new Map<string, Answer>();
  const answerTo = (line: string): Answer => {
    const question = questionOf(line);
    const known = answers.get(question);
    if (known !== undefined) return known;
    if (question.length > longestQuestion || answers.size >= mostQuestions) return no;
    const answer = ask(question);
    answers.set(question, answer);
    return answer;
  };
  const isHead = (line: string) => answerTo(line).isHead;
  return {
    isHead,
    isIntroduction: (line) => isHead(line) || libraryOpenings.some((opening) => isHead(`${opening} ${line}`)),
    isSignature: (line) => answerTo(line).isSignature,
  };
}

/** None of the patterns looks into an address: a short one says as much. */
function questionOf(line: string): string {
  return line
    .slice(0, 1000)
    .replace(/<\s?[^<>\s@]{1,64}@[^<>\s@]{1,255}>/g, '<a@b>')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A line is the last of its fragment only when another stands above it: hence the blank one. */
function ask(question: string): Answer {
  const fragments = new EmailReplyParser().read(`\n${question}`).getFragments();
  return {
    isHead: fragments.some((fragment) => fragment.isQuoted()),
    isSignature: fragments.some((fragment) => fragment.isSignature()),
  };
}

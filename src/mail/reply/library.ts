// Asks email-reply-parser about single lines: start of a quotation, or signature.
import EmailReplyParser from 'email-reply-parser';
import { libraryOpenings } from './quotes/attributions.ts';

/** Its patterns backtrack: half a millisecond at worst for this length. On whole texts, "Regards," ends a reply. */
const longestQuestion = 200;
const mostQuestions = 200;

export type ReplyLibrary = {
  isHead(line: string): boolean;
  /** What stands before a name of the desk that ends the text; all of it, if none does. */
  beforeOwnName(text: string): string;
  isIntroduction(line: string): boolean;
  /** Also true for "Regards," and rules, which stay. */
  isSignature(line: string): boolean;
};

type Answer = { isHead: boolean; isSignature: boolean };
const no: Answer = { isHead: false, isSignature: false };

/** When a text asks too many questions, the rest are answered no and its lines stay. */
export function replyLibrary(ownNames: readonly string[] = []): ReplyLibrary {
  const names = ownNames.filter((name) => name !== '').map((name) => name.toLowerCase());
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
    beforeOwnName(text) {
      const bare = text.replace(/[\s"'“”«»(]+$/, '').toLowerCase();
      const name = names.find((each) => bare.endsWith(each) && !/[\p{L}\d]$/u.test(bare.slice(0, -each.length)));
      return name === undefined ? text : text.slice(0, bare.length - name.length);
    },
    isIntroduction: (line) => isHead(line) || libraryOpenings.some((opening) => isHead(`${opening} ${line}`)),
    isSignature: (line) => answerTo(line).isSignature,
  };
}

/** No pattern reads an address, so a short one is enough. */
function questionOf(line: string): string {
  return line
    .slice(0, 1000)
    .replace(/<\s?[^<>\s@]{1,64}@[^<>\s@]{1,255}>/g, '<a@b>')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Only a line below another one can end a fragment, hence the blank line. */
function ask(question: string): Answer {
  const fragments = new EmailReplyParser().read(`\n${question}`).getFragments();
  return {
    isHead: fragments.some((fragment) => fragment.isQuoted()),
    isSignature: fragments.some((fragment) => fragment.isSignature()),
  };
}

// What an agent's answer by mail asks for: commands in its first lines, then words (docs/spec/behaviour.md#answers-by-mail).

import { countCharacters } from '../text.ts';
import type { TicketStatus } from '../tickets/ticket.ts';

/** Why an answer was only noted. */
export type AnswerProblem =
  | 'not_proven'
  | 'expired'
  | 'off'
  | 'unknown_command'
  | 'unclear_command'
  | 'not_allowed'
  | 'merged'
  | 'unclear_quote'
  | 'too_long'
  | 'no_words'
  | 'refused_files';

export interface AskedByMail {
  isReply: boolean | null;
  status: TicketStatus | null;
  takes: true | null;
  /** As written; the desk looks them up. */
  assign: string | null;
  priority: string | null;
  tags: string[];
}

interface ReadAnswer {
  asked: AskedByMail;
  words: string;
  problem: { kind: 'unknown_command' | 'unclear_command'; line: string } | null;
}

const longestLine = 100;

export function readAnswer(text: string): ReadAnswer {
  const lines = text.split('\n');
  const asked: AskedByMail = { isReply: null, status: null, takes: null, assign: null, priority: null, tags: [] };
  let problem: ReadAnswer['problem'] = null;
  let at = 0;
  for (; at < lines.length; at += 1) {
    const line = lines[at]!.trim();
    if (line === '') continue;
    if (!line.startsWith('/')) break;
    problem ??= obey(line, asked);
  }
  return { asked, words: lines.slice(at).join('\n').trim(), problem };
}

/** Says what is wrong with a command; null if it was understood. */
function obey(line: string, asked: AskedByMail): ReadAnswer['problem'] {
  const shown = line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
  const [, name = '', rest = ''] = /^\/(\S{1,32})(?:\s+(.{1,300}))?$/.exec(line) ?? [];
  const value = rest.trim();
  const unclear = { kind: 'unclear_command', line: shown } as const;
  /** Once, or again with the same meaning. */
  const set = <Key extends keyof AskedByMail>(key: Key, to: AskedByMail[Key], takesValue: boolean) => {
    const before = asked[key];
    if (takesValue !== (value !== '') || (before !== null && before !== to)) return unclear;
    asked[key] = to;
    return asked.takes !== null && asked.assign !== null ? unclear : null;
  };
  switch (name.toLowerCase()) {
    case 'reply':
      return set('isReply', true, false);
    case 'note':
      return set('isReply', false, false);
    case 'resolve':
      return set('status', 'resolved', false);
    case 'pending':
      return set('status', 'pending', false);
    case 'take':
      return set('takes', true, false);
    case 'assign':
      return set('assign', value, true);
    case 'priority':
      return set('priority', value, true);
    case 'tag':
      if (value === '') return unclear;
      asked.tags = [...asked.tags, ...value.toLowerCase().split(/[\s,]+/)];
      return null;
    default:
      return { kind: 'unknown_command', line: shown };
  }
}

/** Nothing of the desk's own mail, which only agents may read, goes on to a customer. */
export function quotesTheDesk(words: string, ownMarks: readonly string[]): boolean {
  return ownMarks.some((mark) => words.includes(mark)) || words.split('\n').some((line) => /^\s{0,3}[>|]/.test(line));
}

/** Without the signature that an agent has set for themselves. */
export function withoutOwnSignature(words: string, signature: string): string {
  const bare = (text: string) => text.replace(/\s+/g, ' ').trim();
  const own = bare(signature);
  if (own === '' || countCharacters(own) > 2000) return words;
  const lines = words.split('\n');
  for (let at = Math.max(0, lines.length - 30); at < lines.length; at += 1)
    if (bare(lines.slice(at).join('\n')).replace(/^-- /, '') === own) return lines.slice(0, at).join('\n').trim();
  return words;
}

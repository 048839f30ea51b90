// What is being asked for in the text: a macro after `/`, or a colleague after `@`; and who a note names.

import { mentionsIn, type Named } from '../mentions.ts';

export interface Asked {
  kind: 'macro' | 'mention';
  typed: string;
  from: number;
  to: number;
}

const longestName = 40;

/** What the text before the cursor asks for. `/` asks at the start of a line, `@` at the start of a word. */
export function askedAt(text: string, caret: number): Asked | null {
  const line = text.slice(Math.max(text.lastIndexOf('\n', caret - 1) + 1, 0), caret);
  const macro = /^\s*\/([^/]*)$/.exec(line)?.[1];
  if (macro !== undefined) return asked('macro', macro, caret);
  const mention = /(?:^|[\s(])@([^@]*)$/.exec(line)?.[1];
  return mention === undefined ? null : asked('mention', mention, caret);
}

function asked(kind: Asked['kind'], typed: string, caret: number): Asked | null {
  // After two spaces, or so many letters, it is prose.
  if (typed.startsWith(' ') || /\s\s/.test(typed) || typed.length > longestName) return null;
  return { kind, typed, from: caret - typed.length - 1, to: caret };
}

/** The agents whose names follow an `@`. */
export function mentionedIn(text: string, agents: readonly Named[]): number[] {
  return [...new Set(mentionsIn(text, agents).map(({ id }) => id))];
}

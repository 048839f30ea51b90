// What is being asked for in the text: a macro after `/`, or a colleague after `@`; and who a note names.

import { mostTeamMentions } from '../../../domain/sites/limits.ts';
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
  // After two spaces, or this many letters, it is prose.
  if (typed.startsWith(' ') || /\s\s/.test(typed) || typed.length > longestName) return null;
  return { kind, typed, from: caret - typed.length - 1, to: caret };
}

/** The agents and teams whose names follow an `@`. */
export function mentionedIn(text: string, agents: readonly Named[], teams: readonly Named[]) {
  const idsOf = (named: readonly Named[]) => [...new Set(mentionsIn(text, named).map(({ id }) => id))];
  return { mentions: idsOf(agents), team_mentions: idsOf(teams).slice(0, mostTeamMentions) };
}

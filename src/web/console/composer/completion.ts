// What is being asked for in the text: a macro after `/`, or a colleague after `@`; and who a note names.

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

/** The agents whose names follow an `@`; of two names that begin alike, the longer one. */
export function mentionedIn(text: string, agents: readonly { id: number; name: string }[]): number[] {
  const byLength = [...agents].sort((one, other) => other.name.length - one.name.length);
  const found = new Set<number>();
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}@])@/gu)) {
    const rest = text.slice(index + 1).toLocaleLowerCase();
    const named = byLength.find(({ name }) => {
      const wanted = name.toLocaleLowerCase();
      return rest.startsWith(wanted) && !/^[\p{L}\p{N}]/u.test(rest.slice(wanted.length));
    });
    if (named !== undefined) found.add(named.id);
  }
  return [...found];
}

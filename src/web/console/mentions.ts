// Where a text names agents: their names after an `@`.

export interface Named {
  id: number;
  name: string;
}

interface Mention {
  id: number;
  start: number;
  end: number;
}

/** Of two names that begin alike, the longer one counts. */
export function mentionsIn(text: string, agents: readonly Named[]): Mention[] {
  const byLength = [...agents].sort((one, other) => other.name.length - one.name.length);
  const found: Mention[] = [];
  for (const { index: start } of text.matchAll(/(?<![\p{L}\p{N}@])@/gu)) {
    const named = byLength.find(({ name }) => {
      const end = start + 1 + name.length;
      const isName = text.slice(start + 1, end).toLocaleLowerCase() === name.toLocaleLowerCase();
      return isName && !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2));
    });
    if (named !== undefined) found.push({ id: named.id, start, end: start + 1 + named.name.length });
  }
  return found;
}

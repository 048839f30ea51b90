// What the desk adds to the text of a mail, and what it folded away.

const refusedNote = /\n\n\[Not accepted: ([^\n]{1,4000})\]$/;

/** The desk names files that it did not accept at the end of the text (src/desk/inbound/carry-out.ts). */
export function withoutRefused(body: string): { body: string; refused: string | null } {
  const found = refusedNote.exec(body);
  return found === null ? { body, refused: null } : { body: body.slice(0, found.index), refused: found[1] ?? null };
}

/** What was folded away: the rest of the whole text, or all of it where the text is not its beginning. */
export function foldedText(body: string, whole: string): { text: string; isRest: boolean } {
  const rest = whole.startsWith(body) ? whole.slice(body.length).replace(/^\s*\n/, '') : '';
  return rest.trim() === '' ? { text: whole, isRest: false } : { text: rest, isRest: true };
}

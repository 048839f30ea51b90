// What the desk folded away of the text of a mail.

/** What was folded away: the rest of the whole text, or all of it where the text is not its beginning. */
export function foldedText(body: string, whole: string): { text: string; isRest: boolean } {
  const rest = whole.startsWith(body) ? whole.slice(body.length).replace(/^\s*\n/, '') : '';
  return rest.trim() === '' ? { text: whole, isRest: false } : { text: rest, isRest: true };
}

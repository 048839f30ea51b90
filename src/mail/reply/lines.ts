// Single lines of a reply: their quotation marks, and what is blank.

export function isQuoted(line: string): boolean {
  return line.startsWith('>') || line.startsWith(' >');
}

/** A bar at the left, as a few programs mark a quotation; with one at the right too it is a row of a table. */
export function isBarred(line: string): boolean {
  return line.startsWith('|') && (line.trimEnd() === '|' || !line.trimEnd().endsWith('|'));
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

/** The line without its quotation marks and the spaces around it. */
export function unquoted(line: string): string {
  return line.replace(/^[\s>]+/, '').trimEnd();
}

// Quotation marks and blank lines.

export function isQuoted(line: string): boolean {
  return line.startsWith('>') || line.startsWith(' >');
}

/** A few programs mark quotations with a bar; a bar on both sides is a table row. */
export function isBarred(line: string): boolean {
  return line.startsWith('|') && (line.trimEnd() === '|' || !line.trimEnd().endsWith('|'));
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

export function unquoted(line: string): string {
  return line.replace(/^[\s>]+/, '').trimEnd();
}

// The terminal.

/** How many columns a text takes, wide characters included. */
export function textWidth(text: string): number {
  return Bun.stringWidth(text);
}

// The terminal.

export function textWidth(text: string): number {
  return Bun.stringWidth(text);
}

// The terminal.

import stringWidth from 'string-width';

export function textWidth(text: string): number {
  return stringWidth(text);
}

// Text of other people inside our own sentences: it must not turn around what stands next to it.

const controls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Without the characters that change the direction of text, which can make `gpj.exe` look like `exe.jpg`. */
export function withoutBidi(text: string): string {
  return text.replace(controls, '');
}

/** For the middle of a sentence. */
export function isolated(text: string): string {
  return `\u2068${withoutBidi(text)}\u2069`;
}

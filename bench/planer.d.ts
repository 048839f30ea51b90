// planer has no types of its own.

declare module 'planer' {
  export function extractFromPlain(text: string): string;
}

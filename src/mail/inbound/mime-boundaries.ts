// The boundaries of the multiparts that a walk through a message is in, and the next line that is one of them.

import { mailLimits, tooMuch } from './limits.ts';
import { lineEndAt } from './mime-headers.ts';

export type Delimiter = { lineStart: number; lineEnd: number; level: number; isClosing: boolean };

const dashesAfterNewline = Buffer.from('\n--');

export class Boundaries {
  private readonly raw: Buffer;
  private readonly open: string[] = [];
  private alternativeLevel: number | null = null;
  private dashLines = 0;

  constructor(raw: Buffer) {
    this.raw = raw;
  }

  get depth(): number {
    return this.open.length;
  }

  get isInAlternative(): boolean {
    return this.alternativeLevel !== null;
  }

  /** Whether the next part is one of the alternatives itself, not a part of one. */
  get isAlternative(): boolean {
    return this.alternativeLevel === this.open.length - 1;
  }

  enter(boundary: string, contentType: string) {
    if (contentType === 'multipart/alternative') this.alternativeLevel ??= this.open.length;
    this.open.push(boundary);
    if (this.open.length > mailLimits.depth) {
      throw tooMuch('nested_too_deep', `Parts are nested deeper than ${mailLimits.depth}.`);
    }
  }

  leave(): string | undefined {
    const boundary = this.open.pop();
    if (this.alternativeLevel !== null && this.open.length <= this.alternativeLevel) this.alternativeLevel = null;
    return boundary;
  }

  next(from: number): Delimiter | null {
    if (this.open.length === 0) return null;
    let at = Math.max(from - 1, 0);
    for (;;) {
      const found = this.raw.indexOf(dashesAfterNewline, at);
      if (found === -1) return null;
      if (++this.dashLines > mailLimits.dashLines) {
        throw tooMuch('too_many_boundaries', `More than ${mailLimits.dashLines} lines begin like a part's boundary.`);
      }
      const lineStart = found + 1;
      const level = this.levelAt(lineStart);
      if (level !== null) return { lineStart, lineEnd: lineEndAt(this.raw, lineStart), ...level };
      at = found + 3;
    }
  }

  isAt(lineStart: number): boolean {
    return this.open.length > 0 && this.levelAt(lineStart) !== null;
  }

  private levelAt(lineStart: number): { level: number; isClosing: boolean } | null {
    const peek = this.raw.toString('latin1', lineStart + 2, Math.min(lineStart + 300, this.raw.length));
    for (let level = this.open.length - 1; level >= 0; level--) {
      const boundary = this.open[level]!;
      if (!peek.startsWith(boundary)) continue;
      const rest = /^(--)?\r?(\n|$)/.exec(peek.slice(boundary.length));
      if (rest !== null) return { level, isClosing: rest[1] !== undefined };
    }
    return null;
  }
}

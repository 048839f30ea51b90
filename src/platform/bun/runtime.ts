// The process and its memory.

/** Also frees files and statements that are no longer used. */
export function collectGarbage(): void {
  Bun.gc(true);
}

export function findProgram(name: string): string | null {
  return Bun.which(name);
}

// The process and its memory.

/** Frees what nothing refers to any more, files and statements included, before it returns. */
export function collectGarbage(): void {
  Bun.gc(true);
}

/** The path of a program that the shell would start under this name, or null. */
export function findProgram(name: string): string | null {
  return Bun.which(name);
}

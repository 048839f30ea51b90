// The process and its memory.

import { existsSync } from 'node:fs';

/** Whether `fetch` can leave an answer encoded as it came (`decompress`). */
export const canFetchEncoded = true;

/** Also frees files and statements that are no longer used. */
export function collectGarbage(): void {
  Bun.gc(true);
}

export function findProgram(name: string): string | null {
  return Bun.which(name);
}

/** The command that starts this program again. Null when it runs from its sources. */
export function ownCommand(): string[] | null {
  const here = import.meta.url;
  if (!here.includes('$bunfs') && !here.includes('~BUN')) return null;
  // The running file, even after an upgrade replaced it: both processes must be the same version.
  const running = `/proc/${process.pid}/exe`;
  return [existsSync(running) ? running : process.execPath];
}

/** The files that a person names to start this program. */
export function programFiles(): string[] {
  return [process.execPath];
}

export function scriptCommand(): string[] {
  return [process.execPath];
}

// The process and its memory.

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export const canFetchEncoded = false;

let collect: (() => void) | null = null;

export function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

export function findProgram(name: string): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

const started = join(import.meta.dirname, 'helpdesk.mjs');

export function ownCommand(): string[] | null {
  return import.meta.filename.endsWith('.ts') ? null : [process.execPath, started];
}

export function programFiles(): string[] {
  return [process.execPath, started];
}

export function scriptCommand(): string[] {
  return [process.execPath, ...process.execArgv];
}

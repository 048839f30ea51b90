// The time of each commit, in lines beside the kept log. They are not synced: the log is complete without them.

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '../../base/clock.ts';

/** This many frames of the log were committed at that time. */
interface CommitTime {
  frames: number;
  at: Instant;
}

const linePattern = /^(\d{1,10}) (\d{13})$/;

export function timesPath(folder: string, ordinal: number): string {
  return join(folder, `${String(ordinal).padStart(8, '0')}.times`);
}

/** In order. Skips a line that a crash cut short. */
export function readTimes(folder: string, ordinal: number): CommitTime[] {
  let text: string;
  try {
    text = readFileSync(timesPath(folder, ordinal), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  const times: CommitTime[] = [];
  let last = 0;
  for (const line of text.split('\n')) {
    const match = linePattern.exec(line);
    const frames = Number(match?.[1] ?? 0);
    // If two processes saw the same commit, the first line counts.
    if (match === null || frames <= last) continue;
    times.push({ frames, at: Number(match[2]) });
    last = frames;
  }
  return times;
}

export interface TimesWriter {
  note(time: CommitTime): void;
  close(): void;
}

export function writeTimes(folder: string, ordinal: number): TimesWriter {
  let file: number | null = null;
  let noted = 0;
  return {
    note({ frames, at }) {
      if (frames <= noted) return;
      file ??= openSync(timesPath(folder, ordinal), 'a', 0o600);
      // Ends a line that a crash cut short.
      writeSync(file, `\n${frames} ${at}`);
      noted = frames;
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

// When each commit was: a line for it beside the kept log, for those who want the database back as of a moment. The lines
// are written after the commit and before its answer; they are not synced, for a log without them is still whole.

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '../../base/clock.ts';

/** So many frames of the log were committed at that time. */
interface CommitTime {
  frames: number;
  at: Instant;
}

const linePattern = /^(\d{1,10}) (\d{13})$/;

export function timesPath(folder: string, ordinal: number): string {
  return join(folder, `${String(ordinal).padStart(8, '0')}.times`);
}

/** The commits of a log whose times are known, in their order. A line that a crash cut short is none. */
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
    // Of two processes that saw the same commit, the first tells its time.
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

/** Notes the times of one log's commits. */
export function writeTimes(folder: string, ordinal: number): TimesWriter {
  let file: number | null = null;
  let noted = 0;
  return {
    note({ frames, at }) {
      if (frames <= noted) return;
      file ??= openSync(timesPath(folder, ordinal), 'a', 0o600);
      // What a crash cut short ends here.
      writeSync(file, `\n${frames} ${at}`);
      noted = frames;
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

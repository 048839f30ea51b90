// A mark beside the database of what was committed last, known even where its log and wal/ are gone (docs/backups.md).

import { closeSync, constants, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../base/crypto.ts';

/** Never ahead of the log: it is written after the commit. It is not synced, so after a power cut it may be behind. */
interface LastCommit {
  ordinal: number;
  /** The committed frames of that log; 0 once all of them are in the database. */
  frames: number;
  salts: string;
}

export const lastCommitName = 'last-commit.txt';

const pathOf = (database: string) => join(dirname(database), lastCommitName);
const sumOf = (text: string) => sha256Hex(text).slice(0, 16);
const linePattern = /^(\S+) (\d{8}) (\d{10}) ([0-9a-f]{16}) ([0-9a-f]{16})\n/;

export const identityOf = (path: string) => {
  const { ino, birthtimeNs } = statSync(path, { bigint: true });
  return `${ino}.${birthtimeNs}`;
};

function lineOf(identity: string, { ordinal, frames, salts }: LastCommit): string {
  const text = `${identity} ${String(ordinal).padStart(8, '0')} ${String(frames).padStart(10, '0')} ${salts}`;
  return `${text} ${sumOf(text)}\n`;
}

/** Null if there is none, it is unfinished, or it belongs to another file, as in a copy. */
export function readLastCommit(database: string): LastCommit | null {
  let text: string;
  try {
    text = readFileSync(pathOf(database), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  const [line, identity, ordinal, frames, salts, sum] = linePattern.exec(text) ?? [];
  if (line === undefined || salts === undefined || sumOf(line.slice(0, -18)) !== sum) return null;
  if (identity !== identityOf(database)) return null;
  return { ordinal: Number(ordinal), frames: Number(frames), salts };
}

interface LastCommitWriter {
  note(commit: LastCommit): void;
  close(hasEnded: boolean): void;
}

export function writeLastCommit(database: string): LastCommitWriter {
  let file: number | null = null;
  let identity = '';

  function note(commit: LastCommit): void {
    if (file === null) {
      // Written over in place, so that a full disk does not stop it.
      file = openSync(pathOf(database), constants.O_RDWR | constants.O_CREAT, 0o600);
      identity = identityOf(database);
    }
    writeSync(file, lineOf(identity, commit), 0);
  }

  return {
    note,
    close(hasEnded) {
      try {
        const last = hasEnded ? readLastCommit(database) : null;
        if (last !== null && last.frames > 0) note({ ...last, frames: 0 });
      } catch {
        // Without it, the next start reads the kept log and finds all of it in the database.
      }
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

// The lines of an import as they come: numbered, counted, and compared with what the end of the export says.

import { DeskError } from '../../domain/errors.ts';
import type { RowOf, TransferLine } from '../../domain/input/transfer.ts';
import { createRelief } from './garbage-relief.ts';
import { createTally, type Line, linesOf, refusal } from './lines.ts';

export interface ImportLines {
  next(read: (line: Line) => TransferLine): Promise<{ number: number; size: number; line: TransferLine } | null>;
  requireWhole(number: number, end: RowOf<'end'>): Promise<void>;
  cut(): DeskError;
}

export function createImportLines(
  source: AsyncIterable<Uint8Array>,
  onProgress: (bytes: number, note: string) => void,
): ImportLines {
  const raw = linesOf(source);
  const tally = createTally();
  const relieve = createRelief();
  let bytesRead = 0;
  let lineNumber = 0;
  return {
    async next(read) {
      const { done, value } = await raw.next();
      if (done) return null;
      bytesRead += value.bytes.length;
      relieve(value.bytes.length);
      lineNumber = value.number;
      onProgress(bytesRead, '');
      const line = read(value);
      if (line.type !== 'end') tally.note(line.type, value.bytes);
      return { number: value.number, size: value.bytes.length, line };
    },
    async requireWhole(number, end) {
      const own = tally.end();
      const isSame =
        own.lines === end.lines &&
        own.sha256 === end.sha256 &&
        JSON.stringify(sorted(own.counts)) === JSON.stringify(sorted(end.counts));
      if (!isSame) throw refusal(number, 'does not match the lines before it: the export was changed or damaged.');
      if ((await raw.next()).done !== true) throw refusal(number + 1, 'comes after the end.');
    },
    cut: () => new DeskError('invalid', `The export is cut off: it ends after line ${lineNumber} without an end mark.`),
  };
}

function sorted(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
}

export function numbered<T>(line: number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'conflict') throw error;
    throw refusal(line, `is refused: ${error.message}`);
  }
}

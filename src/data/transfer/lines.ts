// Reads a stream as lines of bounded length, and a line of an export as data.

import { createHash } from 'node:crypto';
import { DeskError } from '../../domain/errors.ts';
import { type TransferLine, transferLine } from '../../domain/input/transfer.ts';
import { transferVersion, upgradeLine } from '../../domain/transfer/transfer.ts';

// A message can contain some megabytes of mail, and JSON turns some characters into six.
const maxLineBytes = 32 * 1024 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export interface Line {
  number: number;
  bytes: Uint8Array;
}

/** Splits a stream at its line breaks; refuses a line beyond the limit before it reads more. */
export async function* linesOf(source: AsyncIterable<Uint8Array>, maxBytes = maxLineBytes): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 1;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      const newline = chunk.indexOf(lineFeed, at);
      const end = newline === -1 ? chunk.length : newline + 1;
      parts.push(chunk.subarray(at, end));
      size += end - at;
      at = end;
      if (size > maxBytes) throw refusal(number, `is longer than ${maxBytes} bytes.`);
      if (newline === -1) {
        // The stream may reuse its buffer.
        parts[parts.length - 1] = new Uint8Array(parts.at(-1) ?? []);
        continue;
      }
      yield { number, bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts) };
      parts = [];
      size = 0;
      number += 1;
    }
  }
  if (size > 0) yield { number, bytes: Buffer.concat(parts) };
}

export function refusal(line: number, what: string): DeskError {
  return new DeskError('invalid', `Line ${line} ${what}`);
}

function parsed({ number, bytes }: Line): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    const isWhole = bytes.at(-1) === lineFeed;
    throw isWhole || number === 1
      ? refusal(number, 'is not JSON.')
      : new DeskError('invalid', `The export is cut off: line ${number} has no end.`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Throws `invalid` with the line's number, the path and the reason. @param version of the export */
export function readLine(line: Line, version: number): TransferLine {
  const value = upgradeLine(parsed(line), version);
  const checked = transferLine.safeParse(value);
  if (checked.success) return checked.data;
  const type = isObject(value) && typeof value.type === 'string' ? ` (${value.type.slice(0, 32)})` : '';
  const [issue] = checked.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw refusal(
    line.number,
    `${type.trim()} is invalid: ${path === '' ? '' : `${path}: `}${issue?.message ?? ''}`.trim(),
  );
}

export function readHead(line: Line): Extract<TransferLine, { type: 'helpdesk-export' }> {
  const value = parsed(line);
  if (line.bytes.at(-2) === carriageReturn)
    throw refusal(
      line.number,
      'ends in CR LF: the export was changed on its way, for example by a transfer in text mode.',
    );
  if (!isObject(value) || value.type !== 'helpdesk-export')
    throw new DeskError('invalid', 'This is not an export of a helpdesk: its first line does not say so.');
  if (typeof value.version === 'number' && value.version > transferVersion) {
    throw new DeskError(
      'invalid',
      `This export has format ${value.version}, this executable reads ${transferVersion}: import it with a newer helpdesk.`,
    );
  }
  const head = readLine(line, transferVersion);
  if (head.type !== 'helpdesk-export') throw refusal(line.number, 'is not the head of an export.');
  return head;
}

export function createTally() {
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  let lines = 0;
  return {
    note(type: string, bytes: Uint8Array) {
      hash.update(bytes);
      counts[type] = (counts[type] ?? 0) + 1;
      lines += 1;
    },
    end: () => ({ lines, counts, sha256: hash.digest('hex') }),
  };
}

// Imports a site from a stream of lines: checks each line, stores in small steps, and continues after a crash or a cut.

import { createHash } from 'node:crypto';
import type { Desk } from '../../desk/desk.ts';
import type { Erasure } from '../../desk/erasure.ts';
import { importRow } from '../../desk/transfer/import-row.ts';
import {
  beginSiteImport,
  completeImport,
  fileToKeep,
  nameOfImport,
  requireOwnRun,
  settleTickets,
} from '../../desk/transfer/import-site.ts';
import type { SiteImport } from '../../desk/transfer/import-state.ts';
import { DeskError } from '../../domain/errors.ts';
import type { RowOf, TransferLine, TransferRow } from '../../domain/input/transfer.ts';
import type { Blobs } from '../../files/blobs.ts';
import { maxAttachmentBytes, sniffContentType } from '../../files/sniff.ts';
import { sanitiseHtml } from '../../mail/inbound/sanitise.ts';
import { forgetImportedRows, hasImportedRows, ticketIdsAfter } from '../../store/site-rows.ts';
import type { Site } from '../../store/sites.ts';
import { createLogRelief } from '../detached.ts';
import { createTally, type Line, linesOf, readHead, readLine, refusal } from './lines.ts';
import { isSetup, readSetup } from './setup.ts';
import { createRelief } from './small-objects.ts';

interface ImportOptions {
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  source: AsyncIterable<Uint8Array>;
  as: string | null;
  erasures: readonly Erasure[];
  longLogBytes?: number;
  onProgress?: (bytes: number, note: string) => void;
}

interface Imported {
  site: Site;
  wasHere: boolean;
  stored: number;
  met: number;
  files: number;
  missing: string[];
  /** People of the site who were erased after the export, and stay erased. */
  erased: number;
  hasSecrets: boolean;
}

// A step of a few milliseconds does not hold up a desk that runs beside it.
const rowsAtATime = 100;
const charactersAtATime = 1_000_000;
const ticketsAtATime = 50;
const maxMailBytes = 40 * 1024 * 1024;

interface Counted {
  number: number;
  size: number;
  line: TransferLine;
}

export async function importSite(options: ImportOptions): Promise<Imported> {
  const { desk, as, onProgress = () => undefined } = options;
  const context = () => desk.context({ kind: 'desk' }, 'import');
  const tally = createTally();
  const relieve = createRelief();
  const letLogEnd = createLogRelief(desk.store, options.longLogBytes);
  let bytesRead = 0;
  let lineNumber = 0;
  const raw = linesOf(options.source);
  const next = async (read: (line: Line) => TransferLine): Promise<Counted | null> => {
    const { done, value } = await raw.next();
    if (done) return null;
    bytesRead += value.bytes.length;
    relieve(value.bytes.length);
    lineNumber = value.number;
    onProgress(bytesRead, '');
    const line = read(value);
    if (line.type !== 'end') tally.note(line.type, value.bytes);
    return { number: value.number, size: value.bytes.length, line };
  };

  const head = await next(readHead);
  if (head?.line.type !== 'helpdesk-export')
    throw new DeskError('invalid', 'There is nothing to import: the input is empty.');
  const { export: exportUlid, has_secrets: hasSecrets, version } = head.line;
  const row = (line: Line) => readLine(line, version);
  const first = await next(row);
  if (first === null) throw cut(1);
  if (first.line.type !== 'site') throw refusal(first.number, 'must be the site.');
  const siteRow = first.line;
  const ahead = await readSetup(() => next(row));
  const begun = await desk.write((tx) =>
    numbered(first.number, () => beginSiteImport(tx, context(), exportUlid, as, siteRow, options.erasures)),
  );
  const result = { wasHere: false, stored: 0, met: 0, files: 0, missing: [] as string[], erased: 0, hasSecrets };
  if (begun.kind === 'done') return { ...result, site: begun.site, wasHere: true };
  const going = begun.import;
  const name = nameOfImport(exportUlid, as);
  try {
    await takeLines();
    await settle(desk, going, name, onProgress, letLogEnd);
    const site = await desk.write((tx) => {
      requireOwnRun(tx, going, name);
      return completeImport(tx, context(), going);
    });
    while (desk.read((tx) => hasImportedRows(tx))) await desk.write((tx) => forgetImportedRows(tx));
    return { ...result, erased: going.erased.count(), site };
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'conflict') throw error;
    throw new DeskError(
      error.code,
      `${error.message} What came before is kept in the site ${going.slug}, which is unfinished: run the import again with the whole export to complete it, or remove the site.`,
    );
  }

  async function takeLines(): Promise<void> {
    let waiting: { number: number; row: TransferRow }[] = [];
    let size = 0;
    let hasFiles = false;
    const flush = async () => {
      if (waiting.length === 0) return;
      const rows = waiting;
      waiting = [];
      size = 0;
      const became = await desk.write((tx) => {
        requireOwnRun(tx, going, name);
        const ctx = context();
        return rows.map(({ number, row }) => numbered(number, () => importRow(tx, ctx, going, row)));
      });
      result.stored += became.filter((one) => one === 'stored').length;
      result.met += became.filter((one) => one === 'met').length;
      await letLogEnd();
    };
    for (;;) {
      const isAhead = ahead.length > 0;
      const read = ahead.shift() ?? (await next(row));
      if (read === null) throw cut(lineNumber);
      const { number, line } = read;
      if (line.type === 'end') {
        await flush();
        requireWhole(number, line);
        if ((await raw.next()).done !== true) throw refusal(number + 1, 'comes after the end.');
        return;
      }
      if (line.type === 'file') {
        hasFiles = true;
        await flush();
        await takeFile(number, line);
        continue;
      }
      if (line.type === 'helpdesk-export' || line.type === 'bytes' || line.type === 'file_end')
        throw refusal(number, 'is out of order.');
      if (hasFiles) throw refusal(number, 'is a row after the files.');
      if (isSetup(line) && !isAhead) throw refusal(number, 'must come before tickets, people and events.');
      waiting.push({ number, row: line.type === 'message' ? harmless(line) : line });
      size += read.size;
      if (waiting.length >= rowsAtATime || size >= charactersAtATime) await flush();
    }
  }

  function requireWhole(number: number, end: RowOf<'end'>): void {
    const own = tally.end();
    const isSame =
      own.lines === end.lines &&
      own.sha256 === end.sha256 &&
      JSON.stringify(sorted(own.counts)) === JSON.stringify(sorted(end.counts));
    if (!isSame) throw refusal(number, 'does not match the lines before it: the export was changed or damaged.');
  }

  async function takeFile(number: number, file: RowOf<'file'>): Promise<void> {
    const { ulid, filename, isErased } = desk.read((tx) => numbered(number, () => fileToKeep(tx, going, file)));
    if (file.is_missing) {
      result.missing.push(file.ulid);
      return;
    }
    const store = file.of === 'attachment' ? options.blobs : options.mailBlobs;
    const hash = createHash('sha256');
    const bytes = async function* () {
      let size = 0;
      for (;;) {
        const read = await next(row);
        if (read === null) throw cut(lineNumber);
        if (read.line.type === 'file_end') break;
        if (read.line.type !== 'bytes') throw refusal(read.number, `does not belong to file ${file.ulid}.`);
        const chunk = Buffer.from(read.line.data, 'base64');
        size += chunk.length;
        if (size > file.size) throw refusal(read.number, `makes file ${file.ulid} longer than its stated size.`);
        hash.update(chunk);
        yield chunk;
      }
      if (size !== file.size || hash.digest('hex') !== file.sha256)
        throw refusal(number, `describes file ${file.ulid} with other bytes than the export contains.`);
    };
    if (isErased || (await store.size(ulid)) === file.size) {
      // The file is not kept, or an earlier run has checked and stored it.
      for await (const _ of bytes());
      return;
    }
    const staged = await store.stage(bytes(), file.of === 'attachment' ? maxAttachmentBytes : maxMailBytes);
    try {
      if (filename !== null) await sniffContentType(staged.path, filename);
      await staged.keep(ulid);
    } catch (error) {
      await staged.discard();
      throw error instanceof DeskError && error.code === 'invalid'
        ? refusal(number, `is refused: ${error.message}`)
        : error;
    }
    result.files += 1;
  }
}

/** The file comes from a stranger, like mail. */
function harmless(message: RowOf<'message'>): RowOf<'message'> {
  if (message.html === null) return message;
  return { ...message, html: sanitiseHtml(message.html, { cidUrl: () => null }).html };
}

function sorted(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
}

function cut(lines: number): DeskError {
  return new DeskError('invalid', `The export is cut off: it ends after line ${lines} without an end mark.`);
}

function numbered<T>(line: number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'conflict') throw error;
    throw refusal(line, `is refused: ${error.message}`);
  }
}

async function settle(
  desk: Desk,
  going: SiteImport,
  name: string,
  onProgress: (bytes: number, note: string) => void,
  letLogEnd: () => Promise<void>,
): Promise<void> {
  for (let after = 0, done = 0; ; ) {
    const ids = desk.read((tx) => ticketIdsAfter(tx, going.siteId, after, ticketsAtATime));
    if (ids.length === 0) return;
    const settled = await desk.write((tx) => {
      requireOwnRun(tx, going, name);
      return settleTickets(tx, ids);
    });
    after = ids[settled - 1] ?? after;
    done += settled;
    onProgress(0, `${done} tickets indexed`);
    await letLogEnd();
  }
}

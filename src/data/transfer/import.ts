// Imports a site from a stream of lines: checks each line, stores in small steps, and continues after a crash or a cut.

import { continueErasure, type Erasure } from '../../desk/customers/erasure.ts';
import type { Desk } from '../../desk/desk.ts';
import { importRow } from '../../desk/transfer/import-row.ts';
import {
  beginSiteImport,
  completeImport,
  eraseImported,
  nameOfImport,
  requireOwnRun,
  settleTickets,
} from '../../desk/transfer/import-site.ts';
import type { SiteImport } from '../../desk/transfer/import-state.ts';
import { DeskError } from '../../domain/errors.ts';
import type { RowOf, TransferRow } from '../../domain/input/transfer.ts';
import type { Blobs } from '../../files/blobs.ts';
import { sanitiseHtml } from '../../mail/inbound/sanitise.ts';
import type { Site } from '../../store/sites/sites.ts';
import { forgetImportedRows, hasImportedRows } from '../../store/transfer/imports.ts';
import { ticketIdsAfter } from '../../store/transfer/site-rows.ts';
import { createLogRelief } from '../reading-copy.ts';
import { importFile } from './import-file.ts';
import { createImportLines, numbered } from './import-lines.ts';
import { type Line, readHead, readLine, refusal } from './lines.ts';
import { isSetup, readSetup } from './setup.ts';

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
  erased: number;
  hasSecrets: boolean;
}

// A step of a few milliseconds does not hold up a desk that runs beside it.
const rowsAtATime = 100;
const charactersAtATime = 1_000_000;
const ticketsAtATime = 50;

export async function importSite(options: ImportOptions): Promise<Imported> {
  const { desk, as, onProgress = () => undefined } = options;
  const context = () => desk.context({ kind: 'desk' }, 'import');
  const letLogEnd = createLogRelief(desk.store, options.longLogBytes);
  const lines = createImportLines(options.source, onProgress);

  const head = await lines.next(readHead);
  if (head?.line.type !== 'helpdesk-export')
    throw new DeskError('invalid', 'There is nothing to import: the input is empty.');
  const { export: exportUlid, has_secrets: hasSecrets, version } = head.line;
  const row = (line: Line) => readLine(line, version);
  const first = await lines.next(row);
  if (first === null) throw lines.cut();
  if (first.line.type !== 'site') throw refusal(first.number, 'must be the site.');
  const siteRow = first.line;
  const ahead = await readSetup(() => lines.next(row));
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
    return { ...result, site };
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'conflict') throw error;
    await erasePeople();
    throw new DeskError(
      error.code,
      `${error.message} What came before is kept in the site ${going.slug}, which is unfinished: run the import again with the whole export to complete it, or remove the site.`,
    );
  }

  /** Before files come: those of mail that is erased are not kept. */
  async function erasePeople(): Promise<void> {
    result.erased = await desk.write((tx) => {
      requireOwnRun(tx, going, name);
      return eraseImported(tx, context(), going);
    });
    while (result.erased > 0 && (await desk.write((tx) => continueErasure(tx, context())))) await letLogEnd();
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
      const read = ahead.shift() ?? (await lines.next(row));
      if (read === null) throw lines.cut();
      const { number, line } = read;
      if (!hasFiles && (line.type === 'end' || line.type === 'file')) {
        await flush();
        await erasePeople();
      }
      if (line.type === 'end') {
        await lines.requireWhole(number, line);
        return;
      }
      if (line.type === 'file') {
        hasFiles = true;
        const became = await importFile({ ...options, going, lines, row }, number, line);
        if (became === 'stored') result.files += 1;
        if (became === 'missing') result.missing.push(line.ulid);
        continue;
      }
      if (line.type === 'helpdesk-export' || line.type === 'bytes' || line.type === 'file_end')
        throw refusal(number, 'is out of order.');
      if (hasFiles) throw refusal(number, 'is a row after the files.');
      if (isSetup(line) && !isAhead) throw refusal(number, 'must come before tickets, people and events.');
      waiting.push({ number, row: 'html' in line ? harmless(line) : line });
      size += read.size;
      if (waiting.length >= rowsAtATime || size >= charactersAtATime) await flush();
    }
  }
}

/** The file comes from a stranger, like mail. */
function harmless<Row extends RowOf<'message' | 'scheduled_reply'>>(row: Row): Row {
  if (row.html === null) return row;
  return { ...row, html: sanitiseHtml(row.html, { cidUrl: () => null }).html };
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

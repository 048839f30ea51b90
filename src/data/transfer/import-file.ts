// Imports one attachment or stored mail, checked against its stated size and hash.

import { createHash } from 'node:crypto';
import type { Desk } from '../../desk/desk.ts';
import { fileToKeep } from '../../desk/transfer/import-site.ts';
import type { SiteImport } from '../../desk/transfer/import-state.ts';
import { DeskError, invalid } from '../../domain/errors.ts';
import type { RowOf, TransferLine } from '../../domain/input/transfer.ts';
import { megabyte, mostFileMegabytes } from '../../domain/tickets/files.ts';
import type { Blobs } from '../../files/blobs.ts';
import { anyType, sniffContentType } from '../../files/sniff.ts';
import { setMailHash } from '../../store/mail/inbound.ts';
import { type ImportLines, numbered } from './import-lines.ts';
import { type Line, refusal } from './lines.ts';

const maxMailBytes = 40 * 1024 * 1024;

interface FileImport {
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  going: SiteImport;
  lines: ImportLines;
  row: (line: Line) => TransferLine;
}

export async function importFile(
  { desk, blobs, mailBlobs, going, lines, row }: FileImport,
  number: number,
  file: RowOf<'file'>,
): Promise<'stored' | 'known' | 'missing'> {
  const { ulid, attachment, isErased } = desk.read((tx) => numbered(number, () => fileToKeep(tx, going, file)));
  if (file.is_missing) return 'missing';
  const bytes = bytesOf(file, number, lines, row);
  const store = file.of === 'attachment' ? blobs : mailBlobs;
  if (isErased || (await store.size(ulid)) === file.size) {
    for await (const _ of bytes);
    await noteHash();
    return 'known';
  }
  const staged = await store.stage(bytes, file.of === 'attachment' ? mostFileMegabytes * megabyte : maxMailBytes);
  try {
    // What is only ever saved needs no check.
    if (attachment !== null && attachment.contentType !== anyType) {
      const found = await sniffContentType(staged.path, attachment.filename);
      if (found !== attachment.contentType)
        throw invalid('file', `must have the content of its type, ${attachment.contentType}.`);
    }
    await staged.keep(ulid);
  } catch (error) {
    await staged.discard();
    throw error instanceof DeskError && error.code === 'invalid'
      ? refusal(number, `is refused: ${error.message}`)
      : error;
  }
  await noteHash();
  return 'stored';

  /** The row of an attachment came with its hash. */
  async function noteHash(): Promise<void> {
    if (file.of === 'mail') await desk.write((tx) => setMailHash(tx, ulid, file.sha256));
  }
}

async function* bytesOf(
  file: RowOf<'file'>,
  number: number,
  lines: ImportLines,
  row: (line: Line) => TransferLine,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let size = 0;
  for (;;) {
    const read = await lines.next(row);
    if (read === null) throw lines.cut();
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
}

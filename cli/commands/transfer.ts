// helpdesk export and import: a whole site as a stream of JSON lines.

import {
  closeSync,
  createReadStream,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { standardInput } from '#platform/files.ts';
import { syncInPartsNow } from '../../src/base/large-file.ts';
import { giveWay } from '../../src/base/process.ts';
import { asBackupError } from '../../src/data/errors.ts';
import { exportSite } from '../../src/data/transfer/export.ts';
import { importSite } from '../../src/data/transfer/import.ts';
import { noteExport } from '../../src/desk/audited-work.ts';
import { readSite } from '../../src/desk/sites/sites.ts';
import { slug } from '../../src/domain/input/fields.ts';
import { presentSite } from '../../src/http/wire/sites/site.ts';
import { addCommand, type CommonOptions, show } from '../command.ts';
import { UsageError } from '../errors.ts';
import { check } from '../flags.ts';
import { noteIfPossible, withDesk } from '../opened-desk.ts';
import { createProgress, inBytes } from '../output/progress.ts';
import { plain } from '../output/text.ts';

interface ExportFlags extends CommonOptions {
  site: string;
  secrets?: boolean;
  output?: string;
}

/** Waits for the reader, so that a slow one does not fill the memory. */
function writeOut(bytes: Uint8Array): Promise<void> {
  // A reader that closes the pipe early has no complete export, so the command fails until it is done.
  process.exitCode = 1;
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function openOutput(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw asBackupError(error, path, 'nothing was exported');
  }
}

/** A file that gets its name when it is complete. */
function outputFile(path: string) {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && !there.isFile()) throw new UsageError(`${path} exists and is not a file. Choose another path.`);
  if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`The directory ${dirname(path)} does not exist. Create it first.`);
  const part = `${path}.part`;
  const handle = openOutput(part);
  const sync = syncInPartsNow(handle);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  return {
    write(bytes: Uint8Array) {
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
      sync(bytes.length);
      return Promise.resolve();
    },
    keep() {
      fsyncSync(handle);
      close();
      renameSync(part, path);
    },
    discard() {
      close();
      rmSync(part, { force: true });
    },
  };
}

async function runExport(flags: ExportFlags): Promise<void> {
  if (flags.output === undefined && process.stdout.isTTY)
    throw new UsageError('Redirect the export to a file, or name one with --output.');
  if (flags.output === undefined && flags.json)
    throw new UsageError('--json needs --output, because the export itself goes to standard output.');
  await withDesk(
    flags,
    async ({ data, ctx }) => {
      data.desk.read((tx) => readSite(tx, ctx(), flags.site).id);
      const file = flags.output === undefined ? null : outputFile(flags.output);
      await noteIfPossible(data, (tx, noting) => noteExport(tx, noting, flags.site, flags.secrets ?? false));
      giveWay();
      const progress = createProgress('Exporting');
      try {
        const { blobs, mailBlobs, path } = data;
        const { detach } = await import('../../src/data/reading-copy.ts');
        const reading = await detach(data);
        const exported = await exportSite({
          desk: reading.desk,
          blobs,
          mailBlobs,
          path,
          site: flags.site,
          hasSecrets: flags.secrets ?? false,
          write: file?.write ?? writeOut,
          onProgress: progress.show,
        }).finally(reading.close);
        progress.end();
        file?.keep();
        process.exitCode = 0;
        const { counts, bytes, missing, lines } = exported;
        const summary = [
          `Exported ${counts.ticket ?? 0} tickets and ${counts.file ?? 0} files (${inBytes(bytes)}).`,
          ...(missing.length > 0
            ? [
                `${missing.length} files are missing or damaged; see \`helpdesk doctor\`: ${missing.slice(0, 10).join(', ')}`,
              ]
            : []),
          ...(flags.secrets ? ['The export contains secrets in plain text. Protect it like secret.key.'] : []),
        ].join('\n');
        if (file === null) process.stderr.write(`${summary}\n`);
        else show(flags, { json: { data: { lines, counts, bytes, missing } }, text: () => summary });
      } catch (error) {
        file?.discard();
        throw asBackupError(error, flags.output ?? 'Standard output', 'the export is incomplete');
      } finally {
        progress.end();
      }
    },
    { readsLong: true },
  );
}

interface ImportFlags extends CommonOptions {
  as?: string;
  input?: string;
}

function inputOf(path: string | undefined): { source: AsyncIterable<Uint8Array>; size: number | null } {
  if (path === undefined && process.stdin.isTTY)
    throw new UsageError('Pipe an export in, such as `helpdesk import < site.jsonl`, or name a file with --input.');
  try {
    const handle = path === undefined ? 0 : openSync(path, 'r');
    const found = fstatSync(handle);
    if (path !== undefined) closeSync(handle);
    if (found.isDirectory()) throw new UsageError(`${path ?? 'Standard input'} is a directory, not an export.`);
    return {
      source: path === undefined ? standardInput() : createReadStream(path, { highWaterMark: 256 * 1024 }),
      size: found.isFile() ? found.size : null,
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path ?? 'Standard input'} cannot be read.`);
  }
}

async function runImport(flags: ImportFlags): Promise<void> {
  const as = flags.as === undefined ? null : check(slug(), flags.as);
  const { source, size } = inputOf(flags.input);
  await withDesk(
    flags,
    async ({ data }) => {
      const progress = createProgress('Importing');
      const { desk, blobs, mailBlobs } = data;
      const imported = await importSite({
        desk,
        blobs,
        mailBlobs,
        source,
        as,
        erasures: data.erasures(),
        onProgress: (bytes, note) =>
          progress.show(size === null || note !== '' ? null : bytes / size, note || inBytes(bytes)),
      }).finally(progress.end);
      const { site, wasHere, stored, met, files, missing, erased, hasSecrets } = imported;
      show(flags, {
        json: {
          data: presentSite(site, data.addresses, null),
          meta: {
            was_here: wasHere,
            rows_stored: stored,
            rows_met: met,
            files_stored: files,
            files_missing: missing,
            people_erased: erased,
          },
        },
        text: () => {
          if (wasHere) return `This export was already imported, as site ${site.slug}. Nothing was changed.`;
          const before = met > 0 ? `; ${met} rows were already there` : '';
          const lines = [`Imported site ${plain(site.slug)}: ${stored} rows and ${files} files${before}.`];
          if (missing.length > 0)
            lines.push(`${missing.length} files were already missing or damaged when the site was exported.`);
          if (erased > 0)
            lines.push(
              erased === 1
                ? '1 person was erased on this desk after the export, and stays erased.'
                : `${erased} people were erased on this desk after the export, and stay erased.`,
            );
          if (!hasSecrets)
            lines.push(
              'The export has no secrets. Give your applications a new token, your mail provider a new address, and each channel its address:',
              `helpdesk site rotate-token ${site.slug}`,
              `helpdesk site rotate-inbound ${site.slug}`,
              `helpdesk channel list --site ${site.slug}`,
            );
          return lines.join('\n');
        },
      });
    },
    { mayCreate: true },
  );
}

export function transferCommands(program: Command): void {
  addCommand(
    program,
    'export',
    'write a whole site with its files to standard output, as JSON lines',
    'helpdesk export --site web-shop > web-shop.jsonl',
  )
    .requiredOption('--site <site>', 'site: id, ULID or slug')
    .option('--secrets', 'include tokens, signing secrets and webhook addresses in plain text')
    .option('--output <file>', 'write to this file; it appears when it is complete')
    .action(runExport);
  addCommand(
    program,
    'import',
    'read an export from standard input; after an interruption, run it again to continue',
    'helpdesk import < web-shop.jsonl',
  )
    .option('--as <slug>', 'import as a copy with this slug, next to the existing site')
    .option('--input <file>', 'read from this file')
    .action(runImport);
}

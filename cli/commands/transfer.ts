// helpdesk export and helpdesk import: one site's everything, as a stream.

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
import { asBackupError } from '../../src/data/errors.ts';
import { exportSite } from '../../src/data/transfer/export.ts';
import { importSite } from '../../src/data/transfer/import.ts';
import { slug } from '../../src/domain/input/fields.ts';
import { presentSite } from '../../src/http/wire/present.ts';
import { addCommand, show } from '../command.ts';
import { type CommonOptions, check, UsageError, withDesk } from '../opened-desk.ts';
import { createProgress, inBytes } from '../output/progress.ts';
import { plain } from '../output/text.ts';

interface ExportFlags extends CommonOptions {
  site: string;
  secrets?: boolean;
  output?: string;
}

/** Standard output, awaited: whoever reads slowly makes the export slow, not big. */
function writeOut(bytes: Uint8Array): Promise<void> {
  // Whoever closes the pipe before the end has no export: unlike the head of a list, that is a failure.
  process.exitCode = 1;
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function opened(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw asBackupError(error, path, 'nothing was exported');
  }
}

/** A file that has its name only once it is whole. */
function outputFile(path: string) {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && !there.isFile()) throw new UsageError(`${path} is there and is no file; name another place.`);
  if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`${dirname(path)} is no directory; make it first.`);
  const part = `${path}.part`;
  const handle = opened(part);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  return {
    write(bytes: Uint8Array) {
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
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
    throw new UsageError('An export is not for reading: redirect it to a file, or name one with --output.');
  if (flags.output === undefined && flags.json)
    throw new UsageError('Standard output is the export itself; --json goes with --output.');
  await withDesk(flags, async ({ data }) => {
    const file = flags.output === undefined ? null : outputFile(flags.output);
    const progress = createProgress('Exporting');
    try {
      const { blobs, mailBlobs, path } = data;
      const { detach } = await import('../../src/data/detached.ts');
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
      const told = [
        `${counts.ticket ?? 0} tickets and ${counts.file ?? 0} files are exported (${inBytes(bytes)}).`,
        ...(missing.length > 0
          ? [`${missing.length} files are missing or damaged, see helpdesk doctor: ${missing.slice(0, 10).join(', ')}`]
          : []),
        ...(flags.secrets ? ['It holds secrets in the clear: keep it as you keep secret.key.'] : []),
      ].join('\n');
      if (file === null) process.stderr.write(`${told}\n`);
      else show(flags, { json: { data: { lines, counts, bytes, missing } }, text: () => told });
    } catch (error) {
      file?.discard();
      throw asBackupError(error, flags.output ?? 'Standard output', 'this export is not whole');
    } finally {
      progress.end();
    }
  });
}

interface ImportFlags extends CommonOptions {
  as?: string;
  input?: string;
}

function inputOf(path: string | undefined): { source: AsyncIterable<Uint8Array>; size: number | null } {
  if (path === undefined && process.stdin.isTTY)
    throw new UsageError('An import reads standard input: helpdesk import < site.jsonl, or name a file with --input.');
  try {
    const handle = path === undefined ? 0 : openSync(path, 'r');
    const found = fstatSync(handle);
    if (path !== undefined) closeSync(handle);
    if (found.isDirectory()) throw new UsageError(`${path ?? 'Standard input'} is a directory; name an export.`);
    return {
      source: path === undefined ? Bun.stdin.stream() : createReadStream(path, { highWaterMark: 256 * 1024 }),
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
    async ({ data, baseUrl, inboundDomain }) => {
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
          data: presentSite(site, { baseUrl, inboundDomain }, null),
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
          if (wasHere) return `This export is here already, as the site ${site.slug}. Nothing was changed.`;
          const before = met > 0 ? `, ${met} were here already` : '';
          const lines = [`The site ${plain(site.slug)} is there: ${stored} rows and ${files} files stored${before}.`];
          if (missing.length > 0) lines.push(`${missing.length} files were missing or damaged when it was exported.`);
          if (erased > 0)
            lines.push(
              erased === 1
                ? '1 person in it was erased on this desk since it was exported, and stays erased.'
                : `${erased} people in it were erased on this desk since it was exported, and stay erased.`,
            );
          if (!hasSecrets)
            lines.push(
              'The export came without secrets. Give the applications a new token, the mail provider a new address, and the channels their addresses:',
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
    "one site's everything as JSON lines on standard output, its files among them",
    'helpdesk export --site web-shop > web-shop.jsonl',
  )
    .requiredOption('--site <site>', 'id, ulid or slug')
    .option('--secrets', 'with tokens, signing secrets and webhook addresses, in the clear')
    .option('--output <file>', 'write to this file, which appears when it is whole')
    .action(runExport);
  addCommand(
    program,
    'import',
    'a site out of an export, from standard input; begun again where it was cut short',
    'helpdesk import < web-shop.jsonl',
  )
    .option('--as <slug>', 'import a copy under this slug, beside the site that is here')
    .option('--input <file>', 'read this file')
    .action(runImport);
}

// Measures export and import of one large site: `bun bench/export.ts [--megabytes=1024] [--rows=0.2]`, on the built
// executable.

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/base/config.ts';
import { newUlid } from '../src/base/ids.ts';
import { openDataDirectory } from '../src/data/directory.ts';
import { createSite } from '../src/desk/sites/sites.ts';
import { attachAsAgent } from '../src/desk/tickets/attachments.ts';
import { addNote } from '../src/desk/tickets/replies.ts';
import { openTicket } from '../src/desk/tickets/tickets.ts';
import { ingestTicketInput } from '../src/domain/input/tickets.ts';
import type { Site } from '../src/store/sites/sites.ts';
import { peakMemoryOf } from '../test/support/peak-memory.ts';
import { ticketBody } from './fill.ts';

const root = new URL('..', import.meta.url).pathname;
const executable = process.env.HELPDESK_BENCH ?? join(root, 'dist/helpdesk');
const flag = (name: string, fallback: number) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? fallback);
const megabytes = flag('megabytes', 1024);
const shareOfRows = flag('rows', 0.2);
if (!existsSync(executable)) {
  console.error(`${executable} is not there: build it first with "bun run build".`);
  process.exit(1);
}
const work = mkdtempSync(join(tmpdir(), 'helpdesk-bench-export-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const fileBytes = 10_000_000;
const noteCharacters = 9000;
// Each note makes the desk index the whole thread again.
const notesOnTicket = 20;

async function fill(path: string): Promise<void> {
  const data = openDataDirectory(readConfig({ HELPDESK_DATA: path, HELPDESK_SYNCHRONOUS: 'OFF' }, {}));
  const { desk, blobs } = data;
  const ctx = () => desk.context({ kind: 'command_line' }, 'bench');
  const { site } = await desk.write((tx) => createSite(tx, ctx(), { name: 'Big shop' }));
  const open = (at: number, into: Site) =>
    desk.write((tx) =>
      openTicket(
        tx,
        { ...ctx(), actor: { kind: 'application', siteId: into.id } },
        into,
        ingestTicketInput.parse(JSON.parse(ticketBody(`${at}`, 'big'))),
      ),
    );
  const words = randomBytes(noteCharacters).toString('base64').slice(0, noteCharacters).replaceAll(/[+/]/g, ' ');
  const notes = Math.ceil((megabytes * 1e6 * shareOfRows) / noteCharacters);
  const files = Math.ceil((megabytes * 1e6 * (1 - shareOfRows)) / fileBytes);
  let ticket = (await open(0, site)).ticket;
  for (let at = 0; at < notes; at += notesOnTicket) {
    ticket = (await open(at, site)).ticket;
    await Promise.all(
      Array.from({ length: Math.min(notesOnTicket, notes - at) }, () =>
        desk.write((tx) => addNote(tx, ctx(), ticket.id, { body: words })),
      ),
    );
  }
  for (let at = 0; at < files; at += 1) {
    if (at % 100 === 0) ticket = (await open(at, site)).ticket;
    // Text, because a file's content must match its name.
    const bytes = Buffer.from(randomBytes(fileBytes / 2).toString('hex'));
    const staged = await blobs.stage(
      (async function* () {
        yield bytes;
      })(),
      fileBytes,
    );
    const ulid = newUlid(desk.now());
    await staged.keep(ulid);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await desk.write((tx) =>
      attachAsAgent(
        tx,
        ctx(),
        ticket.id,
        { ulid, filename: 'log.txt', contentType: 'text/plain', size: bytes.length, sha256 },
        null,
      ),
    );
  }
  await data.close();
}

async function measure(what: string, args: string[], stdin: string | null, stdout: string | null) {
  const startedAt = performance.now();
  const command = executable.endsWith('.ts') ? [process.execPath, executable] : [executable];
  const child = Bun.spawn([...command, ...args], {
    stdin: stdin === null ? 'ignore' : Bun.file(stdin),
    stdout: stdout === null ? 'ignore' : Bun.file(stdout),
    stderr: 'inherit',
  });
  const peak = await peakMemoryOf(child);
  const code = await child.exited;
  const seconds = (performance.now() - startedAt) / 1000;
  const peakMegabytes = peak === null ? null : Math.round(peak / 1e6);
  if (code !== 0) throw new Error(`${what} ended with ${code}`);
  return { seconds: Math.round(seconds * 10) / 10, peakMegabytes };
}

const [from, to, stream] = [join(work, 'from'), join(work, 'to'), join(work, 'site.jsonl')];
await fill(from);
const exported = await measure('export', ['export', '--site', 'big-shop', '--data', from], null, stream);
const imported = await measure('import', ['import', '--data', to], stream, null);
const again = await measure('second import', ['import', '--data', to], stream, null);
console.log(
  JSON.stringify(
    {
      at: new Date().toISOString(),
      bun: Bun.version,
      megabytes,
      streamMegabytes: Math.round(statSync(stream).size / 1e6),
      export: exported,
      import: imported,
      importAgain: again,
    },
    null,
    2,
  ),
);

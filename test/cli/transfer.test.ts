// helpdesk export and helpdesk import as programs: what they say, a kill in the middle, and how much memory they take.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/base/config.ts';
import { newUlid } from '../../src/base/ids.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { attachAsAgent } from '../../src/desk/tickets/attachments.ts';
import { openForInspection } from '../../src/engine/database.ts';
import { rowTotal } from '../../src/store/row-figures.ts';
import { told } from '../data/transfer/portable.ts';
import { temporaryFolder } from '../support/folders.ts';
import { peakMemoryOf } from '../support/peak-memory.ts';
import { terminal } from './terminal.ts';

const main = new URL('../../cli/main.ts', import.meta.url).pathname;
const desk = terminal();
const file = join(desk.directory, 'demo.jsonl');
beforeAll(async () => {
  await desk.type('demo');
  expect((await desk.type('export', '--site', 'halden-bikes', '--output', file)).code).toBe(0);
});
afterAll(desk.remove);

async function run(args: string[], input: string) {
  const child = Bun.spawn([process.execPath, main, ...args], {
    env: process.env,
    stdin: Bun.file(input),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, peak, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    peakMemoryOf(child),
    child.exited,
  ]);
  return { output: Buffer.from(output), errors, peak, code };
}

describe('export', () => {
  test('writes a complete file that only its owner can read, and says what is in it', async () => {
    const { output, code } = await desk.type('export', '--site', 'halden-bikes', '--output', file, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(output).data).toMatchObject({ counts: { site: 1, ticket: 67 }, missing: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
    expect(statSync(file).size).toBe(JSON.parse(output).data.bytes);
  });

  test('to standard output is the stream and nothing else; the rest is told on standard error', async () => {
    const child = await run(['export', '--site', '1', '--data', join(desk.directory, 'data')], '/dev/null');
    expect(child.code).toBe(0);
    expect(told(child.output.toString())).toEqual(told(readFileSync(file, 'utf8')));
    expect(child.errors).toContain('Exported 67 tickets and 0 files');
  });

  test('of a site that is not there is not found, and leaves no file', async () => {
    const other = join(desk.directory, 'other.jsonl');
    const { code, errors } = await desk.type('export', '--site', 'nowhere', '--output', other);
    expect([code, errors]).toEqual([3, 'No such site.\n']);
    expect(existsSync(other) || existsSync(`${other}.part`)).toBe(false);
  });

  test('to where no file can be is refused in a sentence, and leaves nothing', async () => {
    mkdirSync(join(desk.directory, 'taken'));
    const pipe = join(desk.directory, 'pipe');
    Bun.spawnSync(['mkfifo', pipe]);
    const cases = [
      [
        join(desk.directory, 'taken'),
        `${join(desk.directory, 'taken')} exists and is not a file. Choose another path.`,
      ],
      [pipe, `${pipe} exists and is not a file. Choose another path.`],
      [
        join(desk.directory, 'nowhere', 'x.jsonl'),
        `The directory ${join(desk.directory, 'nowhere')} does not exist. Create it first.`,
      ],
    ] as const;
    for (const [output, sentence] of cases) {
      const { code, errors } = await desk.type('export', '--site', '1', '--output', output);
      expect(errors).toBe(`${sentence}\n`);
      expect(code).toBe(2);
      expect(existsSync(`${output}.part`)).toBe(false);
    }
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  test('into a pipe that is closed before the end is a failure', async () => {
    const shell = `set -o pipefail; '${process.execPath}' '${main}' export --site 1 --data '${join(desk.directory, 'data')}' | head -c 1000 | wc -c`;
    const child = Bun.spawn(['bash', '-c', shell], { env: process.env, stdout: 'pipe', stderr: 'pipe' });
    expect((await new Response(child.stdout).text()).trim()).toBe('1000');
    expect(await child.exited).toBe(1);
  });

  test('of a row that cannot be read names the row, and nothing of what it holds', async () => {
    const other = terminal();
    await other.type('import', '--input', file);
    const data = openDataDirectory(readConfig({ HELPDESK_DATA: join(other.directory, 'data') }, {}));
    await data.desk.write((tx) => {
      tx.client.run("UPDATE tickets SET custom_fields = '{secret' WHERE id = 4");
    });
    await data.close();
    const { code, errors } = await other.type('export', '--site', '1', '--output', join(other.directory, 'x.jsonl'));
    expect(errors).toBe(
      'Row 4 of tickets cannot be read: custom_fields is damaged. Run `helpdesk doctor`, and restore it from a backup.\n',
    );
    expect(code).toBe(1);
    expect((await other.type('doctor')).output).toContain('tickets 4');
    other.remove();
  });

  test('--json without --output is wrong usage', async () => {
    expect((await desk.type('export', '--site', '1', '--json')).code).toBe(2);
  });
});

describe('import', () => {
  test('into a directory without a desk makes one; again it changes nothing and says so', async () => {
    const other = terminal();
    const first = await other.type('import', '--input', file);
    expect(first.code).toBe(0);
    expect(first.output).toContain('Imported site halden-bikes');
    expect(first.output).toContain('helpdesk site rotate-token halden-bikes');
    const again = await other.type('import', '--input', file);
    expect(again.code).toBe(0);
    expect(again.output).toBe('This export was already imported, as site halden-bikes. Nothing was changed.\n');
    expect((await other.type('import', '--input', file, '--json')).json()).toMatchObject({
      data: { slug: 'halden-bikes' },
      meta: { was_here: true, rows_stored: 0 },
    } as never);
    expect((await other.type('ticket', 'list', '--q', 'invoice', '--json')).json().meta).toMatchObject({ total: 7 });
    expect((await other.type('doctor')).code).toBe(0);
    other.remove();
  });

  test('of what is no file is refused before anything is made', async () => {
    const other = terminal();
    const { code, errors } = await other.type('import', '--input', other.directory);
    expect([code, errors]).toEqual([2, `${other.directory} is a directory, not an export.\n`]);
    expect(existsSync(join(other.directory, 'data'))).toBe(false);
    other.remove();
  });

  test('where the site is already: refused, a copy with --as', async () => {
    const refused = await desk.type('import', '--input', file);
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain('repeat with --as <slug>');
    expect((await desk.type('import', '--input', file, '--as', '77')).code).toBe(1);
    expect((await desk.type('import', '--input', file, '--as', 'demo-copy')).code).toBe(0);
    expect((await desk.type('site', 'show', 'demo-copy', '--json')).json().data.slug).toBe('demo-copy');
    expect((await desk.type('site', 'rm', 'demo-copy', '--yes')).code).toBe(0);
  });

  test('cut off: exit code 1 and a sentence', async () => {
    const part = join(desk.directory, 'part.jsonl');
    writeFileSync(part, readFileSync(file).subarray(0, 100_000));
    const other = terminal();
    const { code, errors } = await other.type('import', '--input', part);
    expect(code).toBe(1);
    expect(errors).toMatch(/^The export is cut off: line \d+ has no end\./);
    expect(errors).toContain('run the import again with the whole export');
    other.remove();
  });

  test('killed in the middle and begun again, it ends as if nothing had happened', async () => {
    const data = join(temporaryFolder(), 'data');
    const whole = readFileSync(file);
    const child = Bun.spawn([process.execPath, main, 'import', '--data', data], {
      env: process.env,
      stdin: 'pipe',
      stderr: 'ignore',
    });
    child.stdin.write(whole.subarray(0, Math.floor(whole.length * 0.7)));
    await child.stdin.flush();
    const database = join(data, 'helpdesk.db');
    for (let tickets = 0; tickets < 10; ) {
      await Bun.sleep(10);
      if (!existsSync(database)) continue;
      const looking = openForInspection(database);
      try {
        tickets = rowTotal(looking, 'tickets');
      } catch {
        // Its tables are still being made.
      } finally {
        looking.close();
      }
    }
    child.kill('SIGKILL');
    expect(await child.exited).not.toBe(0);
    const second = await run(['import', '--data', data, '--json'], file);
    expect(second.errors).toBe('');
    const { meta } = JSON.parse(second.output.toString());
    expect(meta.was_here).toBe(false);
    expect(meta.rows_met).toBeGreaterThan(10);
    const undisturbed = join(temporaryFolder(), 'data');
    await run(['import', '--data', undisturbed], file);
    const exported = async (from: string) =>
      (await run(['export', '--site', 'halden-bikes', '--data', from], file)).output;
    // Deadlines that pass meanwhile are marked with the moment of the import.
    const plain = (bytes: Buffer) =>
      told(bytes.toString()).map((line) =>
        Object.fromEntries(Object.entries(line).filter(([key]) => !/_(?:breached|warned)_at$/.test(key))),
      );
    expect(plain(await exported(data))).toEqual(plain(await exported(undisturbed)));
    rmSync(data, { recursive: true });
  }, 60_000);
});

test('neither takes more memory for more bytes: a site of 160 MB passes within 200 MB', async () => {
  const data = join(temporaryFolder(), 'data');
  const opened = openDataDirectory(readConfig({ HELPDESK_DATA: data, HELPDESK_SYNCHRONOUS: 'OFF' }, {}));
  const ctx = opened.desk.context({ kind: 'command_line' }, 'test');
  const { fillDemo } = await import('../../src/server/demo/demo.ts');
  await fillDemo(opened.desk);
  for (let at = 0; at < 16; at += 1) {
    const bytes = Buffer.alloc(10_000_000, `line ${at} of a log\n`);
    const staged = await opened.blobs.stage(
      (async function* () {
        yield bytes;
      })(),
      bytes.length,
    );
    const ulid = newUlid(opened.desk.now());
    await staged.keep(ulid);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const stored = { ulid, filename: 'log.txt', contentType: 'text/plain', size: bytes.length, sha256 };
    await opened.desk.write((tx) => attachAsAgent(tx, ctx, 1, stored, null));
  }
  await opened.close();
  const stream = join(temporaryFolder(), 'big.jsonl');
  const sending = Bun.spawn([process.execPath, main, 'export', '--site', 'halden-bikes', '--data', data], {
    env: process.env,
    stdout: Bun.file(stream),
    stderr: 'ignore',
  });
  const sent = await peakMemoryOf(sending);
  expect(await sending.exited).toBe(0);
  expect(statSync(stream).size).toBeGreaterThan(210_000_000);
  const taken = await run(['import', '--data', join(temporaryFolder(), 'data')], stream);
  expect(taken.errors).toBe('');
  for (const peak of [sent, taken.peak]) if (peak !== null) expect(peak).toBeLessThan(200_000_000);
}, 120_000);

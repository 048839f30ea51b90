// A command line inside the test: what it printed, and its exit code.

import { mkdtempSync, rmSync } from 'node:fs';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../cli/main.ts';

const main = join(import.meta.dir, '../../cli/main.ts');

export interface Ran {
  code: number;
  output: string;
  errors: string;
  /** The answer of --json. */
  json(): { data: Record<string, unknown> & Record<string, unknown>[] } & Record<string, unknown>;
}

interface Terminal {
  directory: string;
  /** Runs `helpdesk …` on this terminal's data directory. */
  type(...argv: string[]): Promise<Ran>;
  /** Runs exactly these words. */
  typeOnly(...argv: string[]): Promise<Ran>;
  /** Runs `helpdesk …` in a process of its own, with something on standard input. */
  pipe(input: string, ...argv: string[]): Promise<Ran>;
  remove(): void;
}

export function terminal(): Terminal {
  const directory = mkdtempSync(join(tmpdir(), 'helpdesk-cli-'));
  const typeOnly: Terminal['typeOnly'] = async (...argv) => {
    const printed = { output: '', errors: '' };
    const streams = [
      [process.stdout, 'output'],
      [process.stderr, 'errors'],
    ] as const;
    const writes = streams.map(([stream]) => stream.write);
    const priority = getPriority();
    for (const [stream, into] of streams) {
      stream.write = (text: string | Uint8Array, ...rest: unknown[]) => {
        printed[into] += String(text);
        for (const written of rest) if (typeof written === 'function') written();
        return true;
      };
    }
    try {
      const code = await run(argv);
      return { code, ...printed, json: () => JSON.parse(printed.output) };
    } finally {
      streams.forEach(([stream], at) => {
        const write = writes[at];
        if (write) stream.write = write;
      });
      takeBackPriority(priority);
    }
  };
  return {
    directory,
    type: (...argv) => typeOnly(...argv, '--data', join(directory, 'data')),
    typeOnly,
    async pipe(input, ...argv) {
      const child = Bun.spawn([process.execPath, main, ...argv], {
        stdin: new Blob([input]),
        stdout: 'pipe',
        stderr: 'pipe',
        env: { ...process.env, HELPDESK_DATA: join(directory, 'data') },
      });
      const [output, errors, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      return { output, errors, code, json: () => JSON.parse(output) };
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** A long command gives way to the desk, and its process is that of all tests here. */
function takeBackPriority(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // Only root may: elsewhere the tests go on at the lower priority.
  }
}

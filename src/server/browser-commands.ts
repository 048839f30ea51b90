// Long commands that owners start from the browser: this program again, in a process of its own, so that no request waits.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, toWire } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { errorFields, type Log } from '../base/log.ts';
import { commandOfSelfWith, whenEnding } from '../base/process.ts';
import { lastBackup } from '../data/last-backup.ts';
import type { CommandRun, OwnCommand, OwnCommands } from '../http/operation.ts';

const mostCharacters = 2_000_000;
const mostSaid = 1000;

interface Ended {
  isDone: boolean;
  data: unknown;
  message: string | null;
}

function runSelf(args: readonly string[]): Promise<Ended> {
  const [program = '', ...own] = commandOfSelfWith([...args, '--json']);
  const child = spawn(program, own, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  const forget = whenEnding(() => child.kill());
  let output = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < mostCharacters) output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-mostSaid);
  });
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ isDone: false, data: null, message }));
    child.once('close', () => {
      forget();
      resolve(answerIn(output, said));
    });
  });
}

/** A doctor that found something ends with 1, and still says what. */
function answerIn(output: string, said: string): Ended {
  try {
    const { data } = JSON.parse(output) as { data: unknown };
    return { isDone: true, data, message: null };
  } catch {
    return { isDone: false, data: null, message: said.trim() };
  }
}

export function createOwnCommands({ HELPDESK_DATA: data }: Config, log: Log): OwnCommands {
  const runs: Record<OwnCommand, CommandRun | null> = { doctor: null, backup: null, restore: null };
  let folder: string | null = null;
  let file: string | null = null;
  let willClear = false;
  const clear = () => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    folder = null;
    file = null;
  };

  function start(name: OwnCommand, args: readonly string[], onDone: () => void = () => undefined): CommandRun {
    const begun = toWire(systemClock.now());
    const run: CommandRun = { state: 'running', started_at: begun, ended_at: null, data: null, message: null };
    runs[name] = run;
    void runSelf([name, ...args, '--data', data]).then(({ isDone, ...ended }) => {
      if (isDone) onDone();
      else log.error({ command: name, reason: ended.message }, 'a command that an owner started failed');
      runs[name] = { ...run, ...ended, state: isDone ? 'done' : 'failed', ended_at: toWire(systemClock.now()) };
    });
    return run;
  }

  return {
    last: (name) => runs[name],
    isRunning: (name) => runs[name]?.state === 'running',
    doctor: (only) => start('doctor', only === null ? [] : ['--fix', '--only', only.join(',')]),
    backupFile: () => file,
    testRestore() {
      const newest = file ?? lastBackup(data)?.path;
      return newest !== undefined && existsSync(newest) ? start('restore', [newest, '--test']) : null;
    },
    backup() {
      try {
        clear();
      } catch (error) {
        log.warn(errorFields(error), 'the last backup for downloading could not be removed');
      }
      const made = mkdtempSync(join(tmpdir(), 'helpdesk-backup-'));
      if (!willClear) whenEnding(clear);
      willClear = true;
      folder = made;
      const moment = toWire(systemClock.now()).slice(0, 16).replaceAll(':', '');
      const path = join(made, `helpdesk-${moment}.tar.zst`);
      return start('backup', [path], () => {
        file = path;
      });
    },
  };
}

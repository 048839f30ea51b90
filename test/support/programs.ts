// Programs that a test starts beside itself.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

interface Program {
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** When it has said its first words. */
  begun: Promise<unknown>;
  output: Promise<string>;
  errors: Promise<string>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export function startProgram([file = '', ...args]: string[], env: NodeJS.ProcessEnv = {}): Program {
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    begun: once(child.stdout, 'data'),
    output: text(child.stdout),
    errors: text(child.stderr),
    ended: once(child, 'close').then(([code, signal]) => ({ code, signal })),
  };
}

/** A script that runs beside the test, as this runtime reads it. */
export function startScript(text: string, ...args: string[]): Program {
  return startProgram([process.execPath, '-e', text, ...args]);
}

/** Throws with what the program complained of. */
export async function runProgram(...command: string[]): Promise<void> {
  const { ended, errors } = startProgram(command);
  const { code } = await ended;
  if (code !== 0) throw new Error(`${command.join(' ')}: ${await errors}`);
}

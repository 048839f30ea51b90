// kill -9 on a desk at work: with an answer, or in the middle of a commit, after so much was acknowledged; never after a time.

import { watch } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import type { Served } from './executable.ts';

/** How often a test kills a desk. HELPDESK_KILLS asks for more. */
export const killsOf = (usual: number): number => Number(process.env.HELPDESK_KILLS || usual);

interface Work {
  workers: number;
  /** What each of them does again and again. Whatever it throws before the kill fails the test. */
  turn: (worker: number, turn: number) => Promise<void>;
  /** Asked after each turn: whether the desk has done so much that it may die. */
  isEnough: () => boolean;
  /** With the desk's directory, the kill comes at its next write to the log of its database, between write and answer. */
  atWriteIn?: string;
}

export async function end(running: Served, signal: Parameters<Served['signal']>[0] = 'SIGTERM'): Promise<number> {
  running.signal(signal);
  return await running.exited;
}

/** Calls it at the so many-th write of the desk to the log of its database. */
export function atWrite(directory: string, writes: number, act: () => void): () => void {
  let left = writes;
  const watcher = watch(join(directory, 'data'), (_, name) => {
    if (name !== 'helpdesk.db-wal') return;
    left -= 1;
    if (left === 0) act();
  });
  return () => watcher.close();
}

/** Lets all of them work, until the desk is killed under them. What was not answered may be stored or not. */
export async function killAtWork(running: Served, { workers, turn, isEnough, atWriteIn }: Work): Promise<void> {
  let isKilled = false;
  const kill = () => {
    if (isKilled) return;
    isKilled = true;
    running.signal('SIGKILL');
  };
  const failures: unknown[] = [];
  const watches: (() => void)[] = [];
  const work = async (worker: number) => {
    for (let at = 0; !isKilled; at += 1) {
      try {
        await turn(worker, at);
      } catch (error) {
        if (!isKilled) failures.push(error);
        kill();
      }
      if (isKilled || !isEnough()) continue;
      if (atWriteIn === undefined) kill();
      else if (watches.length === 0) watches.push(atWrite(atWriteIn, 1, kill));
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  for (const stopWatching of watches) stopWatching();
  await running.exited;
  if (failures.length > 0) throw failures[0];
}

/** Until nothing is left. A slow machine may take its time, as long as it becomes less. */
export async function untilNone(what: string, left: () => number | Promise<number>): Promise<void> {
  for (let before = Number.POSITIVE_INFINITY; before > 0; ) before = await waitUntil(what, left, (now) => now < before);
}

/** Sends JSON, and gives back the answer, which has the status that is expected. */
export async function answered(
  url: string,
  { status, headers, ...request }: { status: number; method?: string; headers: Record<string, string>; body: object },
): Promise<unknown> {
  const answer = await fetch(url, {
    method: request.method ?? 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(request.body),
  });
  const text = await answer.text();
  if (answer.status !== status) throw new Error(`${answer.status} from ${url}: ${text}`);
  return JSON.parse(text);
}

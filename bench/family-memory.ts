// The memory of a process and of those that it has started, together.

import { readdirSync, readFileSync } from 'node:fs';

/** Empty for one that has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code))) return '';
    throw error;
  }
}

function family(pid: number): number[] {
  if (read(`/proc/${pid}/statm`) === '') return [];
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).trim().split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(family)];
}

/** Shared memory, such as the executable itself, counts once. */
const megabytesOf = (pid: number) =>
  Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;

/** The most that they took together while it was done, in megabytes. */
export async function mostMemoryWhile(pid: number, act: () => Promise<void>): Promise<number> {
  let most = 0;
  const look = () => {
    most = Math.max(
      most,
      family(pid).reduce((sum, one) => sum + megabytesOf(one), 0),
    );
  };
  const timer = setInterval(look, 50);
  await act().finally(() => clearInterval(timer));
  return Math.round(most);
}

// The supervisor starts a desk that died again, and leaves one that ended by itself.

import { expect, test } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { keepRunning } from '../../src/server/supervisor.ts';
import { until } from '../support/litefs.ts';

const script = fileURLToPath(new URL('./kept.ts', import.meta.url));

function keep(ends: string[], mount = { identity: (): string | null => '1' }) {
  const started: ChildProcess[] = [];
  const said: string[] = [];
  const ended = keepRunning({
    mount,
    firstMs: 1,
    say: (sentence) => said.push(sentence),
    start() {
      const child = spawn(process.execPath, [script, ends[started.length] ?? '0'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      started.push(child);
      return child;
    },
  });
  return { started, said, ended };
}

test('a desk that dies is started again, until it ends by itself', async () => {
  const { started, said, ended } = keep(['dies', 'dies', '3']);
  expect(await ended).toBe(3);
  expect(started).toHaveLength(3);
  expect(said).toEqual([
    'The desk was ended by SIGBUS. It starts again in 1 ms.',
    'The desk was ended by SIGBUS. It starts again in 2 ms.',
  ]);
});

test('a desk that refuses to start is not started again', async () => {
  const { started, ended } = keep(['1']);
  expect(await ended).toBe(1);
  expect(started).toHaveLength(1);
});

test('a signal is passed on, and the end that follows is the last', async () => {
  const { started, ended } = keep(['stays']);
  await new Promise((resolve) => started[0]?.stdout?.once('data', resolve));
  process.emit('SIGTERM', 'SIGTERM');
  expect(await ended).toBe(0);
  expect(started).toHaveLength(1);
});

test('a desk whose mount goes, or is made again, is ended and started again; one that waits for a mount is not', async () => {
  let mounted: string | null = null;
  let looks = 0;
  const identity = () => {
    looks += 1;
    return mounted;
  };
  const { started, said, ended } = keep(['stays', 'stays', 'stays'], { identity });
  const isUp = (count: number) => until(() => started.length === count, `${count} are started`);
  const look = () => {
    const before = looks;
    return until(() => looks > before + 2, 'it looks');
  };
  await isUp(1);
  mounted = '1';
  await look();
  expect(started).toHaveLength(1);
  mounted = null;
  await isUp(2);
  mounted = '2';
  await look();
  expect(started).toHaveLength(2);
  mounted = '3';
  await isUp(3);
  expect(said).toEqual([
    'The desk lost its mount. It starts again in 1 ms.',
    'The desk lost its mount. It starts again in 2 ms.',
  ]);
  await new Promise((resolve) => started[2]?.stdout?.once('data', resolve));
  process.emit('SIGTERM', 'SIGTERM');
  expect(await ended).toBe(0);
});

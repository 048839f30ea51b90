// A file system without hard links: a restore replaces no desk of which it cannot tell whether it runs.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { executable, helpdesk, newDirectory, serve } from '../e2e/executable.ts';
import { createDisk, EPERM } from '../support/faults.ts';

test('a restore there is only into an empty directory', async () => {
  const { path, remove } = newDirectory();
  try {
    const disk = createDisk();
    disk.fail(`link / ${EPERM}`);
    const assigned = Object.entries(disk.environment).map((one) => one.join('='));
    const run = (...words: string[]) => helpdesk(path, [...assigned, executable, ...words], '', 'env');
    expect((await run('site', 'create', '--name', 'Web shop')).code).toBe(0);
    expect((await run('backup', 'copy')).code).toBe(0);
    const running = await serve(path, disk.environment);
    expect((await run('restore', 'copy', '--force')).errors).toMatch(/A desk is running|cannot be told/);
    running.signal('SIGTERM');
    await running.exited;
    const refused = await run('restore', 'copy', '--force');
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('cannot be told')]);
    expect((await run('site', 'show', 'web-shop')).code).toBe(0);
    expect((await run('restore', 'copy', '--data', join(path, 'other'))).code).toBe(0);
    expect((await run('site', 'show', 'web-shop', '--data', join(path, 'other'))).code).toBe(0);
  } finally {
    remove();
  }
});

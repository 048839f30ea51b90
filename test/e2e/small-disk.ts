// A disk with little space: a tmpfs in a mount namespace that ends with the script.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bareEnvironment, executable, unlimited } from './executable.ts';

/**
 * Runs a shell script in which `$disk` has little space. Throws where it cannot be mounted, so that no test is skipped
 * silently.
 */
export async function onSmallDisk(place: string, megabytes: number, script: string) {
  const disk = join(place, 'disk');
  mkdirSync(disk, { recursive: true });
  const text = `mount -t tmpfs -o size=${megabytes}m none "$disk" || exit 99\n${script}`;
  const child = Bun.spawn(['unshare', '-m', 'sh', '-c', text], {
    cwd: place,
    env: { ...bareEnvironment, ...unlimited, disk, helpdesk: executable },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 99) throw new Error(`This test needs to mount a small tmpfs, and cannot: ${errors}`);
  return { output, errors, code };
}

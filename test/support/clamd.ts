// Debian's clamd, with signatures of the tests' own.

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './litefs.ts';

/** CI installs it, and counts a skipped test as a failure. */
export const clamd = Bun.which('clamd', { PATH: `${process.env.PATH}:/usr/sbin` });
if (clamd === null) console.warn('clamd is not installed (apt-get install clamav-daemon), so it is not tested.');

// In two parts: scanners look into sources too.
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** @param signatures what each finds */
export function clamdIn(folder: string, signatures: Record<string, string>) {
  const socket = join(folder, 'clamd.sock');
  let running: Bun.Subprocess | null = null;
  return {
    socket,
    async start(): Promise<void> {
      mkdirSync(join(folder, 'db'), { recursive: true });
      const lines = Object.entries(signatures).map(
        ([name, found]) => `${name}:0:*:${Buffer.from(found).toString('hex')}\n`,
      );
      writeFileSync(join(folder, 'db', 'own.ndb'), lines.join(''));
      const config = join(folder, 'clamd.conf');
      writeFileSync(config, `LocalSocket ${socket}\nDatabaseDirectory ${join(folder, 'db')}\nForeground yes\n`);
      // Of one that was killed.
      rmSync(socket, { force: true });
      running = Bun.spawn([clamd ?? 'clamd', '-c', config], { stdout: 'ignore', stderr: 'ignore' });
      await until(() => existsSync(socket), 'clamd');
    },
    async kill(): Promise<void> {
      running?.kill('SIGKILL');
      await running?.exited;
    },
  };
}

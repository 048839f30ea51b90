// A progress bar on standard error: only on a terminal, and only for work that takes longer than a second.

import { monotonicMs } from '../../src/base/clock.ts';

interface Progress {
  /** @param share from 0 to 1, or null while the total is unknown */
  show(share: number | null, note?: string): void;
  end(): void;
}

const quietMs = 1000;
const redrawMs = 100;
const width = 30;

export function createProgress(label: string, out = process.stderr, nowMs = monotonicMs): Progress {
  const startedAt = nowMs();
  let drawnAt = 0;
  return {
    show(share, note = '') {
      const now = nowMs();
      if (out.isTTY !== true || now - startedAt < quietMs || now - drawnAt < redrawMs) return;
      drawnAt = now;
      const done = share === null ? null : Math.min(1, Math.max(0, share));
      const bar = done === null ? '' : ` [${'#'.repeat(Math.round(done * width)).padEnd(width, '.')}]`;
      const percent = done === null ? '' : ` ${Math.floor(done * 100)}%`;
      out.write(`\r\u001b[K${label}${bar}${percent}${note === '' ? '' : ` ${note}`}`);
    },
    end() {
      if (drawnAt > 0) out.write('\r\u001b[K');
      drawnAt = 0;
    },
  };
}

/** Such as `1.4 GB`. */
export function inBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let at = 0;
  let value = bytes;
  for (; value >= 1000 && at < units.length - 1; at += 1) value /= 1000;
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`;
}

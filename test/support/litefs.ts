// An imitation of LiteFS for one machine: a folder with the files of its mount, and its API on its own port.

import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#platform/sqlite.ts';
import { temporaryFolder } from './folders.ts';
import { serve } from './serving.ts';

export type Pages = Uint8Array<ArrayBuffer>;

export interface FakeLiteFS {
  mount: string;
  database: string;
  /** Its API. */
  url: string;
  /** The answer of `/info`, or null for none. */
  setPrimary(isPrimary: boolean | null): void;
  /** The content of `.primary`, or null for no file. */
  namePrimary(host: string | null): void;
  /** The content of `helpdesk.db-pos`. */
  setPosition(transaction: number): void;
  setLag(ms: number): void;
  asked(): number;
  /** What `/export` answers with these bytes of the database. */
  onExport: (bytes: Pages) => Response;
  exported(): number;
  /** What `/promote` does; without it, LiteFS refuses. */
  onPromote: (() => void) | null;
  close(): void;
}

export function positionOf(transaction: number): string {
  return `${transaction.toString(16).padStart(16, '0')}/${'c'.repeat(16)}`;
}

export async function fakeLiteFS(): Promise<FakeLiteFS> {
  const mount = temporaryFolder();
  const database = join(mount, 'helpdesk.db');
  let isPrimary: boolean | null = null;
  let asked = 0;
  let exported = 0;
  const server = await serve((request) => {
    asked += 1;
    if (new URL(request.url).pathname === '/promote') {
      made.onPromote?.();
      return new Response(null, { status: made.onPromote === null ? 409 : 200 });
    }
    if (new URL(request.url).pathname === '/export') {
      exported += 1;
      return existsSync(database) ? made.onExport(pagesOf(database)) : new Response(null, { status: 404 });
    }
    if (new URL(request.url).pathname !== '/info') return new Response(null, { status: 404 });
    if (isPrimary === null) return new Response('going down', { status: 503 });
    return Response.json({ isPrimary, candidate: true, path: mount, primary: { hostname: 'someone' } });
  });
  const setLag = (ms: number) => writeFileSync(join(mount, '.lag'), `+${String(ms).padStart(9, '0')}\n`);
  // As before the first news from a primary.
  setLag(2 ** 31 - 1);
  const made: FakeLiteFS = {
    mount,
    database,
    onPromote: null,
    onExport: (bytes) => new Response(bytes),
    exported: () => exported,
    url: `http://127.0.0.1:${server.port}`,
    setPrimary: (value) => {
      isPrimary = value;
    },
    namePrimary(host) {
      if (host === null) rmSync(join(mount, '.primary'), { force: true });
      else writeFileSync(join(mount, '.primary'), `${host}\n`);
    },
    setPosition: (transaction) => writeFileSync(`${database}-pos`, `${positionOf(transaction)}\n`),
    setLag,
    asked: () => asked,
    close: () => void server.stop(true),
  };
  return made;
}

/** With what is in the log; the mount is left as it is. */
function pagesOf(database: string): Pages {
  const folder = temporaryFolder();
  for (const end of ['', '-wal'])
    if (existsSync(database + end)) copyFileSync(database + end, join(folder, `copy${end}`));
  const opened = openDatabase(join(folder, 'copy'), 'create');
  opened.run('PRAGMA wal_checkpoint(TRUNCATE)');
  opened.close();
  return new Uint8Array(readFileSync(join(folder, 'copy')));
}

/** Has a replica's mount show the primary's database. As on LiteFS, the file itself has everything. */
export function replicate(from: string, to: string): void {
  const opened = openDatabase(from, 'existing');
  opened.run('PRAGMA wal_checkpoint(PASSIVE)');
  opened.close();
  symlinkSync(from, to);
}

/** Waits up to 20 seconds. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > 20_000) throw new Error(`${what}: it never came to that`);
    await sleep(5);
  }
}

// A desk under writes, for tests of copying: it opens tickets continuously and remembers which were answered.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../../src/base/config.ts';
import { type DataDirectory, openDataDirectory } from '../../src/data/directory.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { openTicket } from '../../src/desk/tickets/tickets.ts';
import { ingestTicketInput } from '../../src/domain/input/tickets.ts';
import { query } from '../../src/engine/database.ts';
import { siteById } from '../../src/store/sites/sites.ts';

export function configFor(path: string, more: Record<string, string> = {}): Config {
  return readConfig({ HELPDESK_DATA: path, HELPDESK_SYNCHRONOUS: 'OFF', ...more }, {});
}

export interface BusyDesk {
  data: DataDirectory;
  /** The subjects of the tickets that were answered as stored. */
  answered: string[];
  open(subject: string): Promise<void>;
  /** Opens tickets, several at a time, until told to stop. */
  run(atOnce: number): () => Promise<void>;
}

export async function busyDesk(path: string): Promise<BusyDesk> {
  const data = openDataDirectory(configFor(path));
  const { desk } = data;
  const { site } = await desk.write((tx) =>
    createSite(tx, desk.context({ kind: 'command_line' }, 'test'), { name: 'Shop' }),
  );
  const answered: string[] = [];
  const open = async (subject: string) => {
    const ctx = desk.context({ kind: 'application', siteId: site.id }, 'test');
    const input = ingestTicketInput.parse({
      email: 'a@example.org',
      subject,
      message: `${subject} ${'x'.repeat(500)}`,
    });
    await desk.write((tx) => {
      const now = siteById(tx, site.id);
      if (now === undefined) throw new Error('the site is gone');
      return openTicket(tx, ctx, now, input);
    });
    answered.push(subject);
  };
  let next = 0;
  return {
    data,
    answered,
    open,
    run(atOnce) {
      let isRunning = true;
      const workers = Array.from({ length: atOnce }, async () => {
        while (isRunning) {
          next += 1;
          await open(`number ${next}`);
          await new Promise((resolve) => setTimeout(resolve, 3));
        }
      });
      return async () => {
        isRunning = false;
        await Promise.all(workers);
      };
    },
  };
}

export function subjectsIn(data: DataDirectory): Set<string> {
  return data.desk.read(
    (tx) =>
      new Set(
        query<{ subject: string }>(tx, 'SELECT subject FROM tickets')
          .all()
          .map((row) => row.subject),
      ),
  );
}

/** Copies file by file, with writes between the files, in an order that the test chooses. */
export async function copySlowly(from: string, to: string, order: string[], between: () => Promise<void>) {
  for (const name of order) {
    cpSync(join(from, name), join(to, name), { recursive: true });
    await between();
  }
}

// Fills a data directory with tickets, using the desk's own verbs in large transactions.

import { readConfig } from '../src/base/config.ts';
import { openDataDirectory } from '../src/data/directory.ts';
import { once } from '../src/desk/idempotency.ts';
import { issueToken } from '../src/desk/people/tokens.ts';
import { createSite } from '../src/desk/sites/sites.ts';
import { openTicket } from '../src/desk/tickets/tickets.ts';
import { ingestTicketInput } from '../src/domain/input/tickets.ts';
import { siteById } from '../src/store/sites/sites.ts';
import { ticketById } from '../src/store/tickets/tickets.ts';

export interface Filled {
  siteToken: string;
  teamToken: string;
  /** From tickets spread over the whole table. */
  ulids: string[];
  /** Words that occur in 20 tickets each. */
  words: string[];
}

const perWord = 20;

/** The body of a new ticket, for the load client and for filling. */
export function ticketBody(number: string, word: string): string {
  return JSON.stringify({
    email: `person${number}@example.org`,
    name: `Person ${number}`,
    subject: `Cannot save my settings ${word}`,
    message: `The button does nothing since this morning, and the page shows error ${number}. I have tried another browser, cleared the cache and signed in again. ${word} is what it says at the top.`,
    context: {
      source: 'web',
      app: { name: 'shop', version: '4.2.0', environment: 'production' },
      page: { url: `https://shop.example.org/settings/${number}`, user_agent: 'Mozilla/5.0 (X11; Linux x86_64)' },
      console: [{ level: 'error', message: 'TypeError: undefined is not an object', at: '2026-09-11T09:30:00Z' }],
    },
  });
}

export async function fill(path: string, tickets: number): Promise<Filled> {
  const data = openDataDirectory(readConfig({ HELPDESK_DATA: path, HELPDESK_SYNCHRONOUS: 'OFF' }, {}));
  const { desk } = data;
  const commandLine = desk.context({ kind: 'command_line' }, 'bench');
  const { site, siteToken } = await desk.write((tx) =>
    // Acknowledgements are mail, which is not measured here.
    createSite(tx, commandLine, { name: 'Bench', settings: { acknowledge: false } }),
  );
  const { secret } = await desk.write((tx) =>
    issueToken(tx, commandLine, { name: 'bench', abilities: ['read', 'write', 'manage'] }),
  );
  const ulids: string[] = [];
  const step = 2000;
  const each = Math.max(1, Math.floor(tickets / 1000));
  for (let from = 0; from < tickets; from += step) {
    await desk.write((tx) => {
      const ctx = desk.context({ kind: 'application', siteId: site.id }, 'bench');
      const now = siteById(tx, site.id);
      if (!now) throw new Error('the site is gone');
      for (let at = from; at < Math.min(tickets, from + step); at += 1) {
        const input = ingestTicketInput.parse(JSON.parse(ticketBody(`${at}`, `word${Math.floor(at / perWord)}x`)));
        const { ticket } = openTicket(tx, ctx, now, input);
        if (at % each === 0) ulids.push(ticket.ulid);
      }
      return null;
    });
  }
  // Stores one answer, so that the floor can copy the row.
  await desk.write((tx) =>
    once(tx, commandLine, { credential: 'bench', key: 'sample', fingerprint: 'f'.repeat(64) }, () => ({
      status: 201,
      body: JSON.stringify(ticketById(tx, 1)),
      headers: {},
    })),
  );
  desk.store.writing.client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  await data.close();
  const total = Math.max(1, Math.floor(tickets / perWord));
  const words = Array.from(
    { length: Math.min(500, total) },
    (_, at) => `word${Math.floor((at * total) / Math.min(500, total))}x`,
  );
  return { siteToken, teamToken: secret, ulids, words };
}

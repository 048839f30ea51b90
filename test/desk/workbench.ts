// A desk with a site, for tests of verbs: each step is one transaction, and returns the events that it recorded.

import { createSeal } from '../../src/base/crypto.ts';
import type { Context } from '../../src/desk/context.ts';
import { createDesk, type Desk } from '../../src/desk/desk.ts';
import { beginStep, runTriggers } from '../../src/desk/rules/run-triggers.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { type OpenedTicket, openTicket } from '../../src/desk/tickets/tickets.ts';
import { type Actor, scopeOfToken } from '../../src/domain/actor.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { type IngestTicketInput, ingestTicketInput } from '../../src/domain/input/tickets.ts';
import { query, type Tx } from '../../src/engine/database.ts';
import { type Event, eventsAfter, newestEventSeq } from '../../src/store/events.ts';
import { writeWaiting } from '../../src/store/lists/documents.ts';
import { type Site, siteById } from '../../src/store/sites/sites.ts';
import { type Ticket, ticketById } from '../../src/store/tickets/tickets.ts';
import { noFilter } from '../store/lists/many-tickets.ts';
import { fixedClock } from '../support/clock.ts';
import { migratedStore } from '../support/store.ts';
import { countTickets, listTicketIds } from '../support/ticket-lists.ts';

export const start = Date.UTC(2026, 8, 11, 9, 30);
export const minute = 60_000;

export const commandLine: Actor = { kind: 'command_line' };

export function token(abilities: ('read' | 'write' | 'manage')[], siteId: number | null = null): Actor {
  return { kind: 'token', tokenId: 1, name: 'Team', abilities, scope: scopeOfToken(siteId) };
}

export interface Workbench {
  desk: Desk;
  tx: Tx;
  clock: ReturnType<typeof fixedClock>;
  site: Site;
  siteToken: string;
  /** Events of the last step. */
  events: Event[];
  do<T>(verb: (tx: Tx, ctx: Context) => T, actor?: Actor): T;
  /** The refusal of a verb, which must leave no trace. */
  refusal(verb: (tx: Tx, ctx: Context) => unknown, actor?: Actor): DeskError;
  open(input?: Partial<IngestTicketInput>, site?: Site): OpenedTicket;
  ticket(id: number): Ticket;
  freshSite(id?: number): Site;
  search(words: string): number[];
  /** Every row of every table. */
  everything(): Record<string, unknown[]>;
  close(): void;
}

export function workbench(): Workbench {
  const { store } = migratedStore();
  const clock = fixedClock(start);
  const desk = createDesk(store, createSeal(Buffer.alloc(32, 7)), clock);
  const tx = store.writing;
  const { client } = tx;

  const bench: Workbench = {
    desk,
    tx,
    clock,
    site: undefined as unknown as Site,
    siteToken: '',
    events: [],
    do(verb, actor = commandLine) {
      const before = newestEventSeq(tx);
      client.run('BEGIN IMMEDIATE');
      try {
        beginStep(tx);
        const result = verb(tx, desk.context(actor, 'test'));
        runTriggers(tx);
        client.run('COMMIT');
        bench.events = eventsAfter(tx, 'all', before, 1000);
        return result;
      } catch (error) {
        client.run('ROLLBACK');
        throw error;
      }
    },
    refusal(verb, actor = commandLine) {
      try {
        bench.do(verb, actor);
      } catch (error) {
        if (error instanceof DeskError) return error;
        throw error;
      }
      throw new Error('it was not refused');
    },
    open(input = {}, site = bench.site) {
      const whole = ingestTicketInput.parse({
        email: 'mia@example.org',
        name: 'Mia Jansen',
        subject: 'Cannot save my settings',
        message: 'The button does nothing.',
        ...input,
      });
      return bench.do((inner, ctx) => openTicket(inner, ctx, bench.freshSite(site.id), whole), {
        kind: 'application',
        siteId: site.id,
      });
    },
    ticket(id) {
      const found = ticketById(tx, id);
      if (!found) throw new Error(`no ticket ${id}`);
      return found;
    },
    freshSite(id = bench.site.id) {
      const found = siteById(tx, id);
      if (!found) throw new Error(`no site ${id}`);
      return found;
    },
    search(words) {
      while (writeWaiting(tx));
      const filter = { ...noFilter, search: words, includeTest: true };
      const page = { sort: 'created_at', direction: 'asc', limit: 100, from: { offset: 0 } } as const;
      const ids = listTicketIds(tx, filter, page, clock.now()).map(({ id }) => id);
      if (countTickets(tx, filter, clock.now()) !== ids.length) throw new Error('the count differs from the list');
      return ids;
    },
    everything() {
      const tables = query<{ name: string }>(
        tx,
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%_search%' AND name <> 'schema_migrations'",
      ).all();
      return Object.fromEntries(tables.map(({ name }) => [name, query(tx, `SELECT * FROM ${name}`).all()]));
    },
    close: () => store.close(),
  };
  // Most tests are about what a mail says, not when it leaves.
  tx.client.run('UPDATE desk_settings SET notifications = ?', [
    JSON.stringify({ defaults: { mail_mode: 'at_once', mail_after_minutes: 0 } }),
  ]);
  const made = bench.do((inner, ctx) => createSite(inner, ctx, { name: 'Web shop' }));
  bench.site = made.site;
  bench.siteToken = made.siteToken;
  return bench;
}

/** The kinds of the last step's events. */
export function kinds(bench: Workbench): string[] {
  return bench.events.map(({ kind }) => kind);
}

// What owners see of the database and its queues (docs/spec/people.md#the-system).

import { dayOf, type Growth, growthOf } from '../domain/growth.ts';
import type { Tx } from '../engine/database.ts';
import { failedDeliveries, type Measures, measures } from '../store/database-figures.ts';
import { allMailboxes, mailboxReading } from '../store/mail/mailboxes.ts';
import { schemaVersion } from '../store/row-figures.ts';
import type { Mailbox } from '../store/sites/catalogue.ts';
import { storageDays, versionsRun } from '../store/storage-days.ts';
import { authorise } from './access.ts';
import type { Context } from './context.ts';

/** The period of which growth is shown. */
const growthDays = 30;

interface SystemFigures {
  schema: number;
  measures: Measures;
  failed: number;
  growth: Growth | null;
  /** Of the newest day. */
  fileBytes: number | null;
  versions: ReturnType<typeof versionsRun>;
  mailboxes: { mailbox: Mailbox; state: string; lookedAt: number | null }[];
}

export function readSystem(tx: Tx, ctx: Context): SystemFigures {
  authorise(ctx, 'own');
  const days = storageDays(tx, dayOf(ctx.now) - growthDays);
  return {
    schema: schemaVersion(tx),
    measures: measures(tx, ctx.now),
    failed: failedDeliveries(tx),
    growth: growthOf(days),
    fileBytes: days.at(-1)?.fileBytes ?? null,
    versions: versionsRun(tx),
    mailboxes: allMailboxes(tx).map((mailbox) => {
      const reading = mailboxReading(tx, mailbox.id);
      const state = mailbox.isPaused
        ? 'paused'
        : mailbox.incoming === null
          ? 'send_only'
          : (reading?.state ?? 'waiting');
      return { mailbox, state, lookedAt: reading?.lookedAt ?? null };
    }),
  };
}

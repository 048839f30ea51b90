// Asks the spam filter about each mail before it is filed. A filter that is down never holds up filing.

import { readFile } from 'node:fs/promises';
import type { Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { noteSpamCheck } from '../desk/mail/filing.ts';
import { providerOf } from '../domain/mail/inbound.ts';
import { type SpamCheck, type SpamFilter, unscored } from '../domain/mail/spam-check.ts';
import { megabyte } from '../domain/tickets/files.ts';
import type { Blobs } from '../files/blobs.ts';
import { isCheckedByDesk } from '../mail/inbound/authentication.ts';
import { envelopeIn } from '../mail/inbound/envelope.ts';
import type { Reader } from '../reader/reader.ts';
import { storedOriginal } from '../reader/stored-original.ts';
import type { InboundMail } from '../store/mail/inbound.ts';
import { createMailCheck, type MailCheck } from './mail-check.ts';
import { createOutage } from './outage.ts';

interface SpamCheckingOptions {
  desk: Desk;
  mailBlobs: Blobs;
  reader: Reader;
  log: Log;
  /** Null: nothing is checked. */
  filter: SpamFilter | null;
}

// Each is in memory as a whole.
const atOnce = 4;
const ofOneSite = 2;
const largestBytes = 10 * megabyte;

export function createSpamChecking(options: SpamCheckingOptions): MailCheck {
  const { desk, log, filter } = options;
  const outage = createOutage(desk.now, log, {
    down: 'the spam filter is down, so mail is filed without a score',
    up: 'the spam filter answers again',
  });

  async function ask(row: InboundMail): Promise<SpamCheck | null> {
    if (filter === null) return null;
    if (row.size > largestBytes) return unscored('it is too large for the spam filter');
    if (outage.isResting()) return unscored('the spam filter is down');
    const { from, to } = envelopeIn(row.headers);
    const client = row.senderChecks?.client ?? null;
    const scored = await filter.check(await messageOf(options, row), { from: from ?? null, to: to[0] ?? null, client });
    if (scored.kind === 'down') {
      outage.failed(scored.why);
      return unscored('the spam filter is down');
    }
    outage.answered();
    const { why } = scored.check;
    if (why !== null) log.warn({ mail: row.ulid, reason: why }, fault);
    return scored.check;
  }

  return createMailCheck({
    desk,
    log,
    atOnce,
    ofOneSite,
    // What someone let through is not judged again.
    isDue: (row) => filter !== null && row.spamCheck === null && !row.isReleased,
    ask,
    unknown: unscored('it could not be checked'),
    note: noteSpamCheck,
    fault,
  });
}

const fault = 'the spam filter has no score for a mail';

async function messageOf({ reader, mailBlobs }: SpamCheckingOptions, row: InboundMail): Promise<Uint8Array> {
  if (!isCheckedByDesk(providerOf(row))) return await storedOriginal(reader, mailBlobs, row, false);
  const stored = await mailBlobs.local(row.ulid);
  if (stored === null) throw new Error('the stored mail is gone');
  try {
    return await readFile(stored.path);
  } finally {
    await stored.release();
  }
}

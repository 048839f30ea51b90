// Imports mail that was sent and received, and the addresses that get none.

import { newUlid } from '../../base/ids.ts';
import { anonymisedEmail } from '../../domain/customers/author.ts';
import type { RowOf } from '../../domain/input/transfer.ts';
import { goneId, rewriteTrace } from '../../domain/transfer/transfer.ts';
import type { Tx } from '../../engine/database.ts';
import { authorById } from '../../store/customers/authors.ts';
import { suppressAddress } from '../../store/mail/suppressions.ts';
import { insertKeepingId, isUlidFree } from '../../store/transfer/imported-rows.ts';
import { type Inserters, type Need, ulidFor } from './import-step.ts';
import { columnNames } from './line-names.ts';

export const mailInserters: Inserters<'delivery' | 'mail' | 'suppression'> = {
  delivery(row, { tx, siteId, need, optional }) {
    const isFree = isUlidFree(tx, 'delivery', row.ulid);
    const ulid = isFree ? row.ulid : newUlid(row.created_at);
    const messageId = optional('message', row.message_id);
    const id = insertKeepingId(tx, 'deliveries', row.id, {
      ...columnNames(row),
      ulid,
      siteId,
      channelId: null,
      ticketId: need('ticket', row.ticket_id),
      eventSeq: optional('event', row.event_seq),
      payload: { recipient_name: row.recipient_name, ...(messageId === null ? {} : { message_id: messageId }) },
      recipient: recipientOf(tx, row, need),
      // Replies belong to the original site, not to a copy.
      mailMessageId: isFree ? row.mail_message_id : null,
      tries: row.attempts,
      nextAt: null,
      claimedUntil: 0,
      claimedBy: null,
      mailboxId: null,
      pushSubscriptionId: null,
    });
    return { id, ulid };
  },
  mail(row, { tx, siteId, need, optional, to }) {
    const ulid = ulidFor(tx, 'mail', row.ulid, row.received_at);
    const id = insertKeepingId(tx, 'inboundMail', row.id, {
      ...columnNames(row),
      ulid,
      siteId,
      status: 'done',
      ticketId: optional('ticket', row.ticket_id),
      matchedRules: row.matched_rules.map(({ id, name }) => ({ id: need('rule', id), name })),
      trace: rewriteTrace(row.trace, to),
      retryAt: null,
      // With the file, which comes later.
      sha256: null,
      mailboxId: null,
      silentDate: null,
      senderChecks: null,
      heldFor: row.outcome === 'held' ? (row.held_for ?? 'other') : null,
      isReleased: false,
      spamCheck: null,
    });
    return { id, ulid };
  },
  suppression(row, { tx, siteId }) {
    suppressAddress(tx, siteId, row.address, row.reason, row.created_at);
    return { id: goneId };
  },
};

function recipientOf(tx: Tx, row: RowOf<'delivery'>, need: Need): string {
  const number = /^anonymised\+(\d{1,15})@/.exec(row.recipient)?.[1];
  if (number === undefined || row.recipient !== anonymisedEmail(Number(number))) return row.recipient;
  return authorById(tx, need('author', Number(number)))?.email ?? row.recipient;
}

// What became of a mail: each step that the desk knows of, on its way in or out (docs/spec/mailboxes.md#trace).

import type { Instant } from '../../base/clock.ts';
import { normaliseEmailOrDomain } from '../../domain/mail/address.ts';
import type { InboundOutcome } from '../../domain/mail/inbound.ts';
import { checksInWords } from '../../domain/mail/sender-checks.ts';
import type { TraceStepKind } from '../../domain/mail/trace.ts';
import type { Tx } from '../../engine/database.ts';
import { type InboundMail, inboundMailById } from '../../store/mail/inbound.ts';
import { allMailboxes } from '../../store/mail/mailboxes.ts';
import { arrivedMails, leftMails, seenAs } from '../../store/mail/trace.ts';
import { attemptsOfDelivery, type Delivery, type DeliveryAttempt, deliveryById } from '../../store/outbox/outbox.ts';
import { siteById } from '../../store/sites/sites.ts';
import { ticketById } from '../../store/tickets/tickets.ts';
import { listScope } from '../access.ts';
import type { Context } from '../context.ts';

interface TraceStep {
  at: Instant;
  kind: TraceStepKind;
  detail: string | null;
}

export interface TracedMail {
  direction: 'in' | 'out';
  /** Of the inbound log, or of the outbox. */
  id: number;
  siteId: number | null;
  siteSlug: string | null;
  from: string | null;
  to: string | null;
  subject: string | null;
  messageId: string | null;
  ticket: string | null;
  /** How it came (`imap`, `raw`, a provider), or what it is (`mail.agent_reply`). */
  kind: string;
  at: Instant;
  steps: TraceStep[];
}

const mostTraced = 50;

/** Newest first. `isCut`: there may be more. */
export function traceMail(
  tx: Tx,
  ctx: Context,
  siteName: string | null,
  asked: string,
): { mails: TracedMail[]; isCut: boolean } {
  const sites = listScope(tx, ctx, siteName);
  const text = asked.trim();
  const bare = /^<?([^<>\s]+@[^<>\s]+)>?$/.exec(text)?.[1] ?? null;
  const wanted = {
    ...{ sites, text: bare ?? text, messageId: bare === null ? null : `<${bare}>` },
    address: bare === null ? null : normaliseEmailOrDomain(bare),
  };
  const arrived = arrivedMails(tx, wanted, mostTraced).flatMap((id) => {
    const row = inboundMailById(tx, id);
    return row === undefined ? [] : [cameIn(tx, row)];
  });
  const left = leftMails(tx, wanted, mostTraced).flatMap((id) => {
    const delivery = deliveryById(tx, id);
    return delivery === undefined ? [] : [wentOut(tx, delivery)];
  });
  const mails = [...arrived, ...left].sort((one, other) => other.at - one.at);
  const isCut = mails.length > mostTraced || arrived.length === mostTraced || left.length === mostTraced;
  return { mails: mails.slice(0, mostTraced), isCut };
}

const ticketOf = (tx: Tx, id: number | null) => (id === null ? undefined : ticketById(tx, id));
const slugOf = (tx: Tx, siteId: number | null) => (siteId === null ? null : (siteById(tx, siteId)?.slug ?? null));

const isFiled = (outcome: InboundOutcome | null) => outcome === 'ticket_created' || outcome === 'reply_added';

function cameIn(tx: Tx, row: InboundMail): TracedMail {
  const mailbox = allMailboxes(tx).find(({ id }) => id === row.mailboxId);
  const seen = seenAs(tx, row.id) ?? null;
  const steps: TraceStep[] = [];
  const step = (at: Instant, kind: TraceStepKind, detail: string | null) => steps.push({ at, kind, detail });
  if (seen !== null)
    step(seen.seenAt, 'seen', `UID ${seen.uid} in the folder ${seen.folder}${mailbox ? ` of ${mailbox.address}` : ''}`);
  step(row.receivedAt, 'stored', `${row.size} bytes`);
  const end = row.processedAt ?? row.receivedAt;
  if (row.senderChecks !== null)
    step(end, 'sender_checked', `${row.senderChecks.verdict}: ${checksInWords(row.senderChecks)}`);
  if (row.status === 'received')
    step(row.retryAt ?? row.receivedAt, 'waiting', row.attempts === 0 ? null : `${row.attempts} attempts`);
  else step(end, isFiled(row.outcome) ? 'filed' : 'not_filed', [row.outcome, row.reason].filter(Boolean).join(': '));
  for (const address of row.forwardedTo) step(end, 'forwarded', address);
  if (seen !== null && mailbox?.incoming && mailbox.incoming.after_filing !== 'leave') {
    const { after_filing, move_to } = mailbox.incoming;
    if (seen.isPending === 0) step(end, 'settled', after_filing === 'move' ? `moved to ${move_to}` : 'marked as read');
  }
  return {
    direction: 'in',
    id: row.id,
    siteId: row.siteId,
    siteSlug: slugOf(tx, row.siteId),
    from: row.sender,
    to: row.recipient,
    subject: row.subject,
    messageId: row.mailMessageId,
    ticket: ticketOf(tx, row.ticketId)?.ulid ?? null,
    kind: row.mailboxId === null ? row.provider : 'imap',
    at: row.receivedAt,
    steps,
  };
}

function wentOut(tx: Tx, delivery: Delivery): TracedMail {
  const { siteId, payload, status, nextAt, createdAt, lastError } = delivery;
  const ticket = ticketOf(tx, delivery.ticketId);
  const steps: TraceStep[] = [{ at: createdAt, kind: 'queued', detail: null }];
  const attempts = attemptsOfDelivery(tx, delivery.id);
  let isAccepted = false;
  for (const attempt of attempts) {
    const step = attemptStep(attempt, isAccepted);
    isAccepted ||= step.kind === 'accepted';
    steps.push(step);
  }
  if (status === 'failed' && delivery.finishedAt !== null)
    steps.push({ at: delivery.finishedAt, kind: 'failed', detail: lastError });
  if (status === 'queued' && nextAt !== null)
    steps.push({ at: nextAt, kind: 'waiting', detail: attempts.length === 0 ? null : 'next attempt' });
  return {
    direction: 'out',
    id: delivery.id,
    siteId,
    siteSlug: slugOf(tx, siteId),
    from: null,
    to: delivery.recipient,
    subject: ticket?.subject ?? payload.subject ?? null,
    messageId: delivery.mailMessageId,
    ticket: ticket?.ulid ?? null,
    kind: delivery.event,
    at: createdAt,
    steps,
  };
}

/** After a server took the mail, only a bounce adds a line. */
function attemptStep({ at, responseExcerpt, error }: DeliveryAttempt, isAccepted: boolean): TraceStep {
  if (error === null) return { at, kind: 'accepted', detail: responseExcerpt || null };
  return { at, kind: isAccepted ? 'bounced' : 'refused', detail: error };
}

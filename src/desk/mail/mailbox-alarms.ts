// Tells the owners what is wrong with a mailbox, once, and by a way that does not need it (docs/spec/mailboxes.md#alarms).

import type { Instant } from '../../base/clock.ts';
import { hourMs, minuteMs } from '../../domain/instant.ts';
import type { MailServer } from '../../domain/mail/mailbox.ts';
import {
  certificateExpiry,
  consentExpiry,
  countdownStep,
  type Expiring,
  type Expiry,
  expiring,
  expiryInWords,
  isQuiet,
  type MailboxAlarm,
  sameHours,
  secretExpiry,
} from '../../domain/mail/mailbox-alarms.ts';
import { truncate } from '../../domain/text.ts';
import type { Tx } from '../../engine/database.ts';
import { mailAppOf } from '../../store/mail/mail-apps.ts';
import {
  alarmsOfMailbox,
  mailboxChecksOf,
  putAlarm,
  putCertificates,
  removeAlarm,
} from '../../store/mail/mailbox-alarms.ts';
import { allMailboxes, longestPause, readMailboxes } from '../../store/mail/mailboxes.ts';
import type { Mailbox } from '../../store/sites/catalogue.ts';
import type { Context } from '../context.ts';
import { tellChannels } from '../notifications/channels.ts';
import { managersByMail, managersOf, tell as tellAgents } from '../notifications/notify.ts';
import { queueMail } from '../outbox/queue-mail.ts';

interface Raised {
  kind: MailboxAlarm;
  reason: string;
  /** The owners are told again when it changes. */
  step?: number;
}

type Subject = Pick<Mailbox, 'id' | 'siteId'>;

/** @param isTold false: another mailbox tells of it */
export function raiseAlarm(
  tx: Tx,
  ctx: Context,
  mailbox: Subject,
  { kind, reason: whole, step = 0 }: Raised,
  isTold = true,
): void {
  const before = alarmsOfMailbox(tx, mailbox.id).find((one) => one.kind === kind);
  const reason = truncate(whole, 500);
  if (before?.reason === reason && before.step === step) return;
  putAlarm(tx, { mailboxId: mailbox.id, kind, reason, step, since: before?.since ?? ctx.now });
  if (isTold && before?.step !== step) tell(tx, ctx, mailbox, kind, reason);
}

export function endAlarms(tx: Tx, { id }: Pick<Mailbox, 'id'>, kinds: readonly MailboxAlarm[]): void {
  for (const { kind } of alarmsOfMailbox(tx, id)) if (kinds.includes(kind)) removeAlarm(tx, id, kind);
}

function tell(tx: Tx, ctx: Context, { id, siteId }: Subject, alarm: MailboxAlarm, reason: string): void {
  const payload = { mailbox_id: id, alarm, reason };
  tellAgents(tx, ctx, { kind: 'mailbox_alarm', siteId, payload }, managersOf(tx, siteId));
  for (const manager of managersByMail(tx, siteId, 'mailbox_alarm'))
    queueMail(tx, ctx, siteId, null, null, 'mail.mailbox_alarm', manager, payload);
  tellChannels(tx, ctx, { event: 'mailbox.alarm', siteId, payload });
}

const serversOf = ({ incoming, outgoing }: Mailbox) =>
  (
    [
      ['incoming_certificate', 'imap', incoming],
      ['outgoing_certificate', 'smtp', outgoing],
    ] as const
  ).flatMap(([of, protocol, server]) =>
    server === null || server.tls === 'none' ? [] : [{ of, protocol, server, name: `${server.host}:${server.port}` }],
  );

export function expiriesOf(tx: Tx, mailbox: Mailbox): Expiry[] {
  const known = mailboxChecksOf(tx, mailbox.id)?.certificates ?? [];
  const certificates = serversOf(mailbox).flatMap(({ of, name }) => {
    const term = known.find((one) => one.of === of && one.server === name);
    return term === undefined ? [] : [certificateExpiry(of, term)];
  });
  const at = mailbox.authentication === 'oauth' ? mailAppOf(tx, mailbox.provider)?.secretExpiresAt : null;
  const { secretSealed, consentFrom: from, consentUntil: until } = mailbox;
  const isConsented = mailbox.authentication === 'oauth' && secretSealed !== null && from !== null && until !== null;
  const consent = isConsented ? consentExpiry({ from, until }) : null;
  return [...certificates, ...(at == null ? [] : [secretExpiry(at)]), ...(consent === null ? [] : [consent])];
}

interface Countdown {
  mailbox: Mailbox;
  kind: Expiring;
  /** Null: it was renewed. */
  now: { reason: string; step: number } | null;
  isTold: boolean;
}

/** What is to be counted down, and differs from what the owners were told. */
export function countdowns(tx: Tx, now: Instant): Countdown[] {
  const providers = new Set<string>();
  const found: Countdown[] = [];
  for (const mailbox of allMailboxes(tx)) {
    const raised = alarmsOfMailbox(tx, mailbox.id);
    const expiries = expiriesOf(tx, mailbox);
    for (const kind of expiring) {
      const expiry = expiries.find(({ of }) => of === kind);
      const step = expiry === undefined ? null : countdownStep(expiry, now);
      // One secret opens all mailboxes at a provider: the owners need no mail for each.
      const isTold = kind !== 'client_secret' || !providers.has(mailbox.provider);
      if (kind === 'client_secret' && expiry !== undefined) providers.add(mailbox.provider);
      const before = raised.find((one) => one.kind === kind);
      const wanted = expiry === undefined || step === null ? null : { reason: expiryInWords(expiry, now), step };
      if (wanted?.step !== before?.step || wanted?.reason !== before?.reason)
        found.push({ mailbox, kind, now: wanted, isTold });
    }
  }
  return found;
}

export function watchExpiries(tx: Tx, ctx: Context): null {
  for (const { mailbox, kind, now, isTold } of countdowns(tx, ctx.now))
    if (now === null) endAlarms(tx, mailbox, [kind]);
    else raiseAlarm(tx, ctx, mailbox, { kind, ...now }, isTold);
  return null;
}

// A mailbox that was not looked into says nothing about what came.
const recentlyMs = 10 * minuteMs;

/** Mailboxes that got nothing for longer than ever at this hour of the week, and that do not say so yet. */
export function quietMailboxes(tx: Tx, now: Instant): { mailbox: Mailbox; since: Instant }[] {
  return readMailboxes(tx).flatMap(({ mailbox, reading }) => {
    const since = reading?.messageAt ?? null;
    if (since === null || reading?.state !== 'connected' || now - (reading.lookedAt ?? 0) > recentlyMs) return [];
    if (alarmsOfMailbox(tx, mailbox.id).some(({ kind }) => kind === 'quiet')) return [];
    const pauses = sameHours(now).map(({ from, until }) => longestPause(tx, mailbox.id, from, until)[0] ?? null);
    return isQuiet(now - since, pauses) ? [{ mailbox, since }] : [];
  });
}

export function tellQuiet(tx: Tx, ctx: Context): null {
  for (const { mailbox, since } of quietMailboxes(tx, ctx.now)) {
    const last = new Date(since).toISOString().slice(0, 16).replace('T', ' ');
    const reason = `Nothing has come since ${last} UTC. That is more than twice the longest pause at this hour of the week in the last four weeks.`;
    raiseAlarm(tx, ctx, mailbox, { kind: 'quiet', reason });
  }
  return null;
}

const certificatesAgainMs = 12 * hourMs;
const unknownAgainMs = hourMs;

interface CertificateToRead {
  mailboxId: number;
  of: Expiring;
  protocol: 'imap' | 'smtp';
  server: MailServer;
  name: string;
}

/** Of one mailbox, those that were not read for half a day; null when there is nothing to do. */
export function certificatesDue(tx: Tx, now: Instant): { mailboxId: number; servers: CertificateToRead[] } | null {
  for (const mailbox of allMailboxes(tx)) {
    const servers = serversOf(mailbox).map((one) => ({ mailboxId: mailbox.id, ...one }));
    const checks = mailboxChecksOf(tx, mailbox.id);
    const isKnown = servers.every(({ of, name }) =>
      checks?.certificates.some((one) => one.of === of && one.server === name),
    );
    const again = isKnown ? certificatesAgainMs : unknownAgainMs;
    if (servers.length > 0 && now - (checks?.certificatesAt ?? 0) >= again) return { mailboxId: mailbox.id, servers };
  }
  return null;
}

/** @param terms null: its certificate could not be read, and what is known of it stays */
export function noteCertificates(
  tx: Tx,
  ctx: Pick<Context, 'now'>,
  { mailboxId, servers }: { mailboxId: number; servers: readonly CertificateToRead[] },
  terms: readonly ({ from: Instant; until: Instant } | null)[],
): null {
  if (!allMailboxes(tx).some(({ id }) => id === mailboxId)) return null;
  const known = mailboxChecksOf(tx, mailboxId)?.certificates ?? [];
  const certificates = servers.flatMap(({ of, name }, at) => {
    const term = terms[at];
    return term ? [{ of, server: name, ...term }] : known.filter((one) => one.of === of && one.server === name);
  });
  putCertificates(tx, mailboxId, certificates, ctx.now);
  return null;
}

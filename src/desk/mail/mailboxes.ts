// Mailboxes that a team already has: their settings (docs/spec/mailboxes.md).

import type { Instant } from '../../base/clock.ts';
import { conflict, invalid } from '../../domain/errors.ts';
import type { MailboxChangeInput, MailboxInput } from '../../domain/input/mailboxes.ts';
import type { MailboxState, MailProvider } from '../../domain/mail/mailbox.ts';
import { type Expiry, readingAlarms } from '../../domain/mail/mailbox-alarms.ts';
import { isElsewhere } from '../../domain/own-services.ts';
import type { Tx } from '../../engine/database.ts';
import { type Canary, newestSeenCanary } from '../../store/mail/canaries.ts';
import { mailAppOf } from '../../store/mail/mail-apps.ts';
import { type Alarm, alarmsOfMailbox, type MailboxChecks, mailboxChecksOf } from '../../store/mail/mailbox-alarms.ts';
import { type MailboxReading, mailboxReading, putMailboxReading } from '../../store/mail/mailboxes.ts';
import { type Mailbox, mailboxRows } from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import { authorise } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { catalogue } from '../sites/catalogue/verbs.ts';
import { senders } from '../sites/senders.ts';
import { asSender } from '../sites/site-senders.ts';
import { endAlarms, expiriesOf } from './mailbox-alarms.ts';

export const mailboxes = catalogue<Mailbox, MailboxInput, MailboxChangeInput>({
  noun: 'mailbox',
  rows: mailboxRows,
  compose(tx, ctx, site, input) {
    requireOtherAddress(tx, site, input.address, null);
    requireBothWays(input.has_canary, input.incoming, input.outgoing);
    if (input.authentication === 'oauth') requireApp(tx, input.provider);
    const password = input.authentication === 'oauth' ? null : input.password;
    return {
      name: input.name,
      address: input.address,
      provider: input.provider,
      authentication: input.authentication,
      incoming: input.incoming,
      outgoing: input.outgoing,
      secretSealed: password && ctx.seal.seal(password),
      consentFrom: null,
      consentUntil: null,
      outgoingSecretSealed: input.outgoing_password && password && ctx.seal.seal(input.outgoing_password),
      firstDays: input.first_days,
      saveSent: input.save_sent,
      isPaused: false,
      hasCanary: input.has_canary,
      createdAt: ctx.now,
    };
  },
  revise(tx, ctx, site, row, input) {
    requireOtherAddress(tx, site, input.address, row.id);
    const { password, outgoing_password, save_sent, has_canary = row.hasCanary, ...same } = input;
    const { incoming = row.incoming, outgoing = row.outgoing } = input;
    if (incoming === null && outgoing === null) throw invalid('incoming', 'or outgoing is required.');
    requireBothWays(has_canary, incoming, outgoing);
    const { authentication = row.authentication, provider = row.provider } = input;
    if (authentication === 'oauth') {
      requireApp(tx, provider);
      const isSame = row.authentication === 'oauth' && provider === row.provider;
      const isElsewhereNow = isElsewhere(row.incoming, incoming) || isElsewhere(row.outgoing, outgoing);
      return {
        ...same,
        hasCanary: has_canary,
        ...(save_sent === undefined ? {} : { saveSent: save_sent }),
        // A token must not reach another server than the one that was shown when someone consented.
        secretSealed: isSame && !isElsewhereNow ? row.secretSealed : null,
        outgoingSecretSealed: null,
      };
    }
    if (row.authentication === 'oauth' && password === undefined) throw invalid('password', 'is required.');
    const isOutgoingElsewhere = isElsewhere(row.outgoing, outgoing);
    const changed = 'is required, because the server or its user has changed.';
    if (isOutgoingElsewhere && row.outgoingSecretSealed !== null && outgoing_password === undefined)
      throw invalid('outgoing_password', changed);
    const isOwn = outgoing_password != null;
    if (password === undefined && (isElsewhere(row.incoming, incoming) || (isOutgoingElsewhere && !isOwn)))
      throw invalid('password', changed);
    return {
      ...same,
      hasCanary: has_canary,
      ...(save_sent === undefined ? {} : { saveSent: save_sent }),
      ...(password === undefined ? {} : { secretSealed: ctx.seal.seal(password) }),
      ...(outgoing_password === undefined
        ? {}
        : { outgoingSecretSealed: outgoing_password === null ? null : ctx.seal.seal(outgoing_password) }),
    };
  },
  settle(tx, _site, row, before) {
    if (before !== null && before.version !== row.version) forgetRefusal(tx, row.id);
    if (!row.hasCanary) endAlarms(tx, row, ['canary']);
  },
  shown: ({ secretSealed: _own, outgoingSecretSealed: _other, ...row }) => row,
});

function requireOtherAddress(tx: Tx, site: Site, address: string | undefined, own: number | null): void {
  if (mailboxRows.list(tx, site.id).some((row) => row.id !== own && row.address === address))
    throw invalid('address', 'is the address of another mailbox of this site.');
}

function requireBothWays(hasCanary: boolean, incoming: object | null, outgoing: object | null): void {
  if (hasCanary && (incoming === null || outgoing === null))
    throw invalid('has_canary', 'needs a server for reading and one for sending.');
}

function requireApp(tx: Tx, provider: MailProvider): void {
  if (mailAppOf(tx, provider) === undefined)
    throw invalid('authentication', `can be oauth when an owner has registered the desk at ${provider} (mail apps).`);
}

/** Connects a mailbox, whose address becomes a sender: what comes to it is answered from it. */
export function addMailbox(tx: Tx, ctx: Context, siteName: string, input: MailboxInput): { site: Site; row: Mailbox } {
  const added = mailboxes.add(tx, ctx, siteName, input);
  const { rows } = senders.list(tx, ctx, siteName);
  const addresses = rows.map((row) => asSender(added.site, row));
  if (addresses.some(({ address }) => address === input.address)) return added;
  const unnamed = addresses.find(({ isDefault, address }) => isDefault && address === null);
  if (unnamed) senders.change(tx, ctx, siteName, unnamed.id, { address: input.address }, null);
  else senders.add(tx, ctx, siteName, { address: input.address });
  return mailboxes.read(tx, ctx, siteName, added.row.id);
}

/** What the owner has changed may be what was wrong. */
export function forgetRefusal(tx: Tx, id: number): void {
  const reading = mailboxReading(tx, id);
  if (reading) putMailboxReading(tx, { ...reading, state: 'waiting', reason: null, wrongSignIns: 0 });
  endAlarms(tx, { id }, readingAlarms);
}

/** The desk does not read a paused mailbox. Mail from its address leaves all the same. */
export function pauseMailbox(
  tx: Tx,
  ctx: Context,
  siteName: string,
  id: number,
  isPaused: boolean,
): { site: Site; row: Mailbox } {
  authorise(ctx, 'manage');
  const { site, row } = mailboxes.read(tx, ctx, siteName, id);
  if (row.isPaused !== isPaused) mailboxRows.update(tx, id, { isPaused, version: row.version + 1 });
  if (isPaused) endAlarms(tx, row, [...readingAlarms, 'quiet', 'canary']);
  else forgetRefusal(tx, id);
  audit(tx, ctx, {
    action: 'mailbox.updated',
    target: { type: 'mailbox', id, name: row.name },
    siteId: site.id,
    before: row,
    after: { isPaused },
  });
  return mailboxes.read(tx, ctx, siteName, id);
}

/** Asks the process that reads it to look at once. */
export function syncMailbox(tx: Tx, ctx: Context, siteName: string, id: number): { site: Site; row: Mailbox } {
  authorise(ctx, 'manage');
  const found = mailboxes.read(tx, ctx, siteName, id);
  if (found.row.incoming === null) throw conflict('The desk does not read this mailbox.', 'not_read');
  if (found.row.isPaused) throw conflict('This mailbox is paused. Resume it first.', 'paused');
  putMailboxReading(tx, { ...readingOf(tx, found.row), syncAskedAt: ctx.now });
  return found;
}

export function readingOf(tx: Tx, row: Pick<Mailbox, 'id' | 'createdAt'>): MailboxReading {
  const unread = { reason: null, wrongSignIns: 0, lookedAt: null, messageAt: null, syncAskedAt: null };
  return mailboxReading(tx, row.id) ?? { mailboxId: row.id, state: 'waiting', since: row.createdAt, ...unread };
}

export interface MailboxView {
  reading: MailboxReading;
  alarms: Alarm[];
  expiries: Expiry[];
  checks: MailboxChecks | undefined;
  lastCanary: Canary | undefined;
  now: Instant;
}

/** What is shown of a mailbox beside its settings. */
export const mailboxView = (tx: Tx, { now }: Pick<Context, 'now'>, row: Mailbox): MailboxView => ({
  reading: readingOf(tx, row),
  alarms: alarmsOfMailbox(tx, row.id),
  expiries: expiriesOf(tx, row),
  checks: mailboxChecksOf(tx, row.id),
  lastCanary: newestSeenCanary(tx, row.id),
  now,
});

export function stateOf(
  row: Pick<Mailbox, 'isPaused' | 'incoming' | 'secretSealed'>,
  reading: MailboxReading,
): MailboxState {
  if (row.isPaused) return 'paused';
  // Only a mailbox that waits for its first consent has none.
  if (row.secretSealed === null || reading.state === 'consent_needed') return 'consent_needed';
  return row.incoming === null ? 'send_only' : reading.state;
}

/** Only for the connections: never shown. */
export function secretsOf(ctx: Pick<Context, 'seal'>, row: Mailbox): { incoming: string; outgoing: string } {
  const incoming = ctx.seal.open(row.secretSealed ?? '');
  return { incoming, outgoing: row.outgoingSecretSealed === null ? incoming : ctx.seal.open(row.outgoingSecretSealed) };
}

/** For a test of its connections, by someone who could change it. */
export function mailboxToTest(tx: Tx, ctx: Context, siteName: string, id: number): Mailbox {
  authorise(ctx, 'manage');
  return mailboxes.read(tx, ctx, siteName, id).row;
}

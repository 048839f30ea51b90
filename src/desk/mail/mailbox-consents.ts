// A person's consent that the desk reads and sends through a mailbox, and what the provider gave for it (docs/spec/mailboxes.md#oauth).

import type { Actor } from '../../domain/actor.ts';
import { can, isInScope, scopeOfToken } from '../../domain/actor.ts';
import { conflict, DeskError } from '../../domain/errors.ts';
import type { Instant } from '../../domain/instant.ts';
import type { MailApp } from '../../domain/mail/consent.ts';
import type { Tx } from '../../engine/database.ts';
import { allMailboxes } from '../../store/mail/mailboxes.ts';
import { teamTokenRows } from '../../store/people/team-tokens.ts';
import { type Mailbox, mailboxRows } from '../../store/sites/catalogue.ts';
import { authorise } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { actingAgent } from '../people/acting-agent.ts';
import { openedApp } from './mail-apps.ts';
import { forgetRefusal, mailboxes } from './mailboxes.ts';

/** What a link for consenting is good for: one mailbox as it is now, on behalf of who asked for the link. */
export interface ConsentFor {
  mailboxId: number;
  version: number;
  by: { kind: 'agent'; id: number } | { kind: 'token'; id: number } | { kind: 'command_line' };
}

export function consentFor(tx: Tx, ctx: Context, siteName: string, id: number): ConsentFor {
  authorise(ctx, 'manage');
  const { row } = mailboxes.read(tx, ctx, siteName, id);
  if (row.authentication !== 'oauth')
    throw conflict('This mailbox has a password. Change its authentication to oauth first.', 'not_oauth');
  const { actor } = ctx;
  if (actor.kind === 'agent') return { mailboxId: id, version: row.version, by: { kind: 'agent', id: actor.agentId } };
  if (actor.kind === 'token') return { mailboxId: id, version: row.version, by: { kind: 'token', id: actor.tokenId } };
  return { mailboxId: id, version: row.version, by: { kind: 'command_line' } };
}

const expired = () => new DeskError('gone', 'This link is no longer good. Ask for a new one.');

/** The mailbox of a link, and the app to ask with. Throws when the mailbox has changed since. */
export function askedMailbox(tx: Tx, ctx: Pick<Context, 'seal'>, link: ConsentFor): { mailbox: Mailbox; app: MailApp } {
  const mailbox = allMailboxes(tx).find(({ id }) => id === link.mailboxId);
  if (mailbox?.authentication !== 'oauth' || mailbox.version !== link.version) throw expired();
  const app = openedApp(tx, ctx, mailbox.provider);
  if (app === null) throw expired();
  return { mailbox, app };
}

/** Who asked for the link, if they may still manage the mailbox's site. */
function actorOf(tx: Tx, { by }: ConsentFor, siteId: number, now: Instant): Actor {
  if (by.kind === 'command_line') return by;
  const actor = by.kind === 'agent' ? actingAgent(tx, by.id) : tokenNow(tx, by.id, now);
  if (actor === null || !can(actor, 'manage') || !isInScope(actor, siteId)) throw expired();
  return actor;
}

function tokenNow(tx: Tx, id: number, now: Instant): Actor | null {
  const token = teamTokenRows.get(tx, id);
  if (token === undefined || (token.expiresAt !== null && token.expiresAt <= now)) return null;
  const { name, abilities, siteId } = token;
  return { kind: 'token', tokenId: id, name, abilities, scope: scopeOfToken(siteId) };
}

const consented = (ctx: Context, refreshToken: string, until: Instant | null) => ({
  secretSealed: ctx.seal.seal(refreshToken),
  consentFrom: until === null ? null : ctx.now,
  consentUntil: until,
});

/** @param until when the provider ends it; null if it does not say */
export function keepConsent(
  tx: Tx,
  ctx: Context,
  link: ConsentFor,
  refreshToken: string,
  until: Instant | null,
): Mailbox {
  const { mailbox } = askedMailbox(tx, ctx, link);
  const actor = actorOf(tx, link, mailbox.siteId, ctx.now);
  mailboxRows.update(tx, mailbox.id, { ...consented(ctx, refreshToken, until), version: mailbox.version + 1 });
  forgetRefusal(tx, mailbox.id);
  audit(tx, ctx, {
    action: 'mailbox.connected',
    target: { type: 'mailbox', id: mailbox.id, name: mailbox.name },
    siteId: mailbox.siteId,
    actor,
  });
  return mailbox;
}

/** A provider may give a new refresh token with an access token. The connection goes on. */
export function rotateConsent(
  tx: Tx,
  ctx: Context,
  id: number,
  before: string,
  refreshToken: string,
  until: Instant | null,
): void {
  const mailbox = allMailboxes(tx).find((one) => one.id === id);
  // Someone may have consented again meanwhile.
  if (mailbox?.secretSealed == null || ctx.seal.open(mailbox.secretSealed) !== before) return;
  mailboxRows.update(tx, id, consented(ctx, refreshToken, until));
}

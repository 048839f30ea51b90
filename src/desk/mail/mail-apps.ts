// The desk's registrations at Google, Microsoft and other providers of mail (docs/spec/mailboxes.md#oauth).

import { conflict, invalid, notFound } from '../../domain/errors.ts';
import { type MailAppInput, placeOfApp } from '../../domain/input/mailboxes.ts';
import type { MailApp } from '../../domain/mail/consent.ts';
import type { MailProvider } from '../../domain/mail/mailbox.ts';
import type { Tx } from '../../engine/database.ts';
import { allMailApps, type MailAppRow, mailAppOf, putMailApp, removeMailApp } from '../../store/mail/mail-apps.ts';
import { allMailboxes } from '../../store/mail/mailboxes.ts';
import { mailboxRows } from '../../store/sites/catalogue.ts';
import { authorise, requirePerson } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { forgetRefusal } from './mailboxes.ts';

const targetOf = ({ id, provider }: MailAppRow) => ({ type: 'mail_app', id, name: provider }) as const;

export function listMailApps(tx: Tx, ctx: Context): MailAppRow[] {
  authorise(ctx, 'manage');
  return allMailApps(tx);
}

const openedWith = (tx: Tx, provider: MailProvider) =>
  allMailboxes(tx).filter((one) => one.authentication === 'oauth' && one.provider === provider);

/** Registers the desk's app, or changes it. */
export function saveMailApp(tx: Tx, ctx: Context, provider: MailProvider, input: MailAppInput): MailAppRow {
  authorise(ctx, 'own');
  requirePerson(ctx);
  const place = placeOfApp(provider, input);
  if ('fault' in place) throw invalid(place.field, place.fault);
  const before = mailAppOf(tx, provider);
  // A stored secret must not reach another server than the one that it was entered for.
  const isElsewhere = before !== undefined && (before.issuer !== place.issuer || before.clientId !== input.client_id);
  if (isElsewhere && input.client_secret === undefined && before.clientSecretSealed !== null)
    throw invalid('client_secret', 'is required, because the issuer or the client id has changed.');
  putMailApp(tx, {
    provider,
    ...place,
    clientId: input.client_id,
    clientSecretSealed:
      input.client_secret === undefined
        ? (before?.clientSecretSealed ?? null)
        : input.client_secret && ctx.seal.seal(input.client_secret),
    secretExpiresAt: input.secret_expires_at,
  });
  const after = mailAppOf(tx, provider);
  if (after === undefined) throw new Error('the app was not stored');
  // What the owner has changed may be what was wrong: the connections begin again.
  for (const mailbox of openedWith(tx, provider)) {
    // What people consented to at one provider is not for another.
    const forgotten = isElsewhere ? { secretSealed: null } : {};
    mailboxRows.update(tx, mailbox.id, { ...forgotten, version: mailbox.version + 1 });
    forgetRefusal(tx, mailbox.id);
  }
  audit(tx, ctx, { action: 'mail_app.updated', target: targetOf(after), before: before ?? null, after });
  return after;
}

export function deleteMailApp(tx: Tx, ctx: Context, provider: MailProvider): void {
  authorise(ctx, 'own');
  requirePerson(ctx);
  const row = mailAppOf(tx, provider);
  if (row === undefined) throw notFound('mail app');
  const users = openedWith(tx, provider);
  if (users.length > 0)
    throw conflict(
      `${users.length} mailboxes are opened with it. Remove them or give them a password first.`,
      'in_use',
    );
  removeMailApp(tx, provider);
  audit(tx, ctx, { action: 'mail_app.deleted', target: targetOf(row), before: row, after: null });
}

/** With its secret, only for the conversation with the provider. */
export function openedApp(
  tx: Tx,
  ctx: Pick<Context, 'seal'>,
  provider: MailProvider,
): (MailApp & { version: number }) | null {
  const row = mailAppOf(tx, provider);
  if (row === undefined) return null;
  const { issuer, clientId, clientSecretSealed, scope, version } = row;
  const clientSecret = clientSecretSealed === null ? null : ctx.seal.open(clientSecretSealed);
  return { provider, issuer, clientId, clientSecret, scope, version };
}

// The desk's registrations at providers of mail (docs/spec/mailboxes.md#oauth).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import { deleteMailApp, listMailApps, saveMailApp } from '../../../desk/mail/mail-apps.ts';
import { notFound } from '../../../domain/errors.ts';
import { mailAppInput } from '../../../domain/input/mailboxes.ts';
import { type MailProvider, mailProviders } from '../../../domain/mail/mailbox.ts';
import type { MailAppRow } from '../../../store/mail/mail-apps.ts';
import { type Call, type Operation, operation } from '../../operation.ts';
import { mailAppShape } from '../../wire/mail/mail-app.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { consentReturnPath } from './mailbox-consents.ts';

const tag = 'Mailboxes';
const path = '/api/v1/mail-apps/{provider}';

const present = (row: MailAppRow, { edge }: Call) => ({
  provider: row.provider,
  issuer: row.issuer,
  client_id: row.clientId,
  has_client_secret: row.clientSecretSealed !== null,
  scope: row.scope,
  secret_expires_at: toWire(row.secretExpiresAt),
  redirect_uri: edge.baseUrl + consentReturnPath,
});

function providerOf({ params }: Call): MailProvider {
  const provider = mailProviders.find((one) => one === params.provider);
  if (provider === undefined) throw notFound('provider of mail');
  return provider;
}

export const mailAppOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/mail-apps',
    id: 'listMailApps',
    tag,
    summary: "List the desk's apps at providers of mail",
    description: 'What the desk is registered as, for mailboxes that are opened by consent instead of a password.',
    access: 'team',
    ability: 'manage',
    answer: { status: 200, description: 'The apps', schema: z.object({ data: z.array(mailAppShape) }) },
    handle: (call) =>
      jsonReply(200, {
        data: call.edge.desk.read((tx) => listMailApps(tx, call.ctx)).map((row) => present(row, call)),
      }),
  }),
  operation({
    method: 'PUT',
    path,
    id: 'saveMailApp',
    tag,
    summary: "Register the desk's app at a provider of mail",
    description:
      'provider is google, microsoft or other: one app each. Mailboxes must be connected again when the client id changes.',
    access: 'session',
    ability: 'own',
    needsConfirmation: true,
    body: mailAppInput,
    answer: { status: 200, description: 'The app', schema: shapes.one(mailAppShape) },
    errors: [403, 404],
    handle: (call) =>
      call.commit((tx) =>
        jsonReply(200, { data: present(saveMailApp(tx, call.ctx, providerOf(call), call.body), call) }),
      ),
  }),
  operation({
    method: 'DELETE',
    path,
    id: 'deleteMailApp',
    tag,
    summary: "Remove the desk's app at a provider of mail",
    access: 'session',
    ability: 'own',
    needsConfirmation: true,
    answer: { status: 204, description: 'Removed', schema: null },
    errors: [403, 404, 409],
    handle: (call) =>
      call.commit((tx) => {
        deleteMailApp(tx, call.ctx, providerOf(call));
        return emptyReply(204);
      }),
  }),
];

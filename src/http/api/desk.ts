// The desk's own settings (docs/spec/people.md#the-desk).

import * as z from 'zod';
import { changeDesk, deskEtag, deskWith, readDesk } from '../../desk/desk-settings.ts';
import { asMailbox } from '../../desk/outbox/own-server.ts';
import { can } from '../../domain/actor.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { type DeskInput, deskInput } from '../../domain/input/people.ts';
import { tlsModes } from '../../domain/mail/mailbox.ts';
import { locales, secondFactorPolicies } from '../../domain/people/preferences.ts';
import { agentReports } from '../../domain/reports/metrics.ts';
import { OidcFault } from '../../identity/oidc-fault.ts';
import type { DeskSettings } from '../../store/desk-settings.ts';
import { agentById } from '../../store/people/agents.ts';
import { answered, type Call, type Operation, operation } from '../operation.ts';
import { mailboxTrialShape } from '../wire/mail/mailbox.ts';
import { deskNotificationsShape, presentDeskNotifications } from '../wire/notifications/preferences.ts';
import { jsonReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { taggedReply } from '../write-only-answer.ts';

const deskShape = shapes.named(
  'Desk',
  z.object({
    name: z.string(),
    locale: z.enum(locales),
    time_zone: z.string(),
    require_second_factor: z.enum(secondFactorPolicies),
    push_content: z.boolean(),
    notifications: deskNotificationsShape,
    agent_reports: z.enum(agentReports),
    mail_server: z
      .object({
        address: z.string(),
        host: z.string(),
        port: z.int(),
        tls: z.enum(tlsModes),
        user: z.string().nullable().meta({ description: 'Null: the server asks for no one.' }),
        certificate_sha256: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'Set here, for owners to see. Null: none.' }),
    issuer: z
      .object({
        issuer: z.string(),
        client_id: z.string(),
        has_client_secret: z.boolean(),
        label: z.string().nullable(),
        domains: z.array(z.string()),
        role_claim: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'Set here, for owners to see. Null: none.' }),
    bucket: z
      .object({
        endpoint: z.string(),
        bucket: z.string(),
        region: z.string(),
        access_key_id: z.string(),
        stores_files: z.boolean(),
        folders: z.array(z.object({ name: z.string(), is_own: z.boolean() })).meta({
          description: 'Where files are in it. Only in its own does this desk remove files.',
        }),
      })
      .nullable()
      .meta({ description: 'Set here, for owners to see. Null: none.' }),
    base_url: z.string().nullable().meta({ description: 'Set here. Null: none.' }),
    inbound_domain: z.string().nullable().meta({ description: 'Set here. Null: none.' }),
  }),
);

export function presentDesk({ ctx, edge }: Call, settings: DeskSettings) {
  const { name, locale, timeZone, requireSecondFactor, pushContent, notifications, agentReports } = settings;
  const { mailServer, issuer, issuerSecretSealed, bucket, bucketFolders } = settings;
  const folders = bucketFolders.map(({ name, place }) => ({ name, is_own: place === edge.bucket.place }));
  const isOwner = can(ctx.actor, 'own');
  return {
    ...{ name, locale, time_zone: timeZone },
    ...{ require_second_factor: requireSecondFactor, push_content: pushContent, agent_reports: agentReports },
    notifications: presentDeskNotifications(notifications),
    mail_server: isOwner ? mailServer : null,
    issuer: isOwner ? issuer && { ...issuer, has_client_secret: issuerSecretSealed !== null } : null,
    bucket: isOwner ? bucket && { ...bucket, folders } : null,
    base_url: isOwner ? settings.baseUrl : null,
    inbound_domain: isOwner ? settings.inboundDomain : null,
  };
}

/** Throws `invalid` for a service that does not work. */
async function requireWorking(call: Call<unknown, DeskInput>): Promise<void> {
  const { edge, ctx, body } = call;
  // The browser that asks has reached the desk there. The command line can set it right again.
  if (ctx.actor.kind !== 'command_line' && body.base_url != null && body.base_url !== call.header('origin'))
    throw invalid('base_url', 'is not where you use the desk now. Open it at that address, and set it there.');
  const fault = body.inbound_domain == null ? null : await edge.mailFault(body.inbound_domain);
  if (fault !== null) throw invalid('inbound_domain', fault.message, `domain_${fault.reason}`);
  if (body.mail_server == null && body.issuer == null && body.bucket == null) return;
  const { after, agent } = edge.desk.read((tx) => ({
    after: deskWith(tx, ctx, body, edge.bucket.place),
    agent: ctx.actor.kind === 'agent' ? agentById(tx, ctx.actor.agentId) : undefined,
  }));
  if (body.mail_server != null && after.mailServer !== null) {
    const { mailServer, mailServerSecretSealed } = after;
    const { sending } = await edge.mailboxes.try(asMailbox(mailServer, mailServerSecretSealed), agent?.email);
    if (sending?.is_ok === false)
      throw invalid(
        `mail_server.${sending.reason === 'password' ? 'password' : 'host'}`,
        sending.message,
        `mail_server_${sending.reason ?? 'other'}`,
      );
  }
  if (body.bucket != null && after.bucket !== null && after.bucketSecretSealed !== null) {
    const refused = await edge.bucket.try(after.bucket, edge.desk.seal.open(after.bucketSecretSealed));
    if (refused !== null) throw invalid('bucket.endpoint', refused.message, `bucket_${refused.reason}`);
  }
  if (body.issuer == null || after.issuer === null) return;
  const { issuer, issuerSecretSealed: sealed } = after;
  try {
    await edge.signIn.tryIssuer(issuer, sealed === null ? null : edge.desk.seal.open(sealed));
  } catch (error) {
    throw error instanceof OidcFault ? invalid('issuer.issuer', error.message) : error;
  }
}

export const deskOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/desk',
    id: 'readDesk',
    tag: 'Desk',
    summary: "Read the desk's settings",
    access: 'team',
    ability: 'read',
    hasEtag: true,
    answer: answered(200, 'The settings', shapes.one(deskShape)),
    read(tx, call) {
      const desk = readDesk(tx, call.ctx);
      return taggedReply(call, 200, { data: presentDesk(call, desk) }, deskEtag(desk));
    },
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/desk',
    id: 'updateDesk',
    tag: 'Desk',
    summary: "Update the desk's settings",
    description:
      'require_second_factor says who must have a second factor: no one (off), owners and admins (managers), or everyone. agent_reports says who sees what single agents did in reports: everyone (all), each only their own (own), or no one (off). A mail server is tried with a mail to you, an issuer is asked, and in a bucket a file is written, listed, read and removed, before they are kept. base_url is the address that the request is sent to (Origin), and inbound_domain has a mail server in DNS.',
    access: 'session',
    ability: 'own',
    needsConfirmation: true,
    hasEtag: true,
    body: deskInput,
    answer: answered(200, 'The updated settings', shapes.one(deskShape)),
    errors: [403, 412],
    async handle(call) {
      await requireWorking(call);
      return call.commit((tx) => {
        const desk = changeDesk(tx, call.ctx, call.body, call.ifMatch, call.edge.bucket.place);
        return taggedReply(call, 200, { data: presentDesk(call, desk) }, deskEtag(desk));
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/desk/mail-server/test',
    id: 'testMailServer',
    tag: 'Desk',
    access: 'session',
    ability: 'own',
    summary: 'Test the mail server of the desk',
    description: 'Sends you a mail through it, also where the environment names it. `sending` is null without one.',
    answer: answered(200, 'What happened', shapes.one(mailboxTrialShape)),
    errors: [403],
    async handle({ edge, ctx: { actor } }) {
      const agent = edge.desk.read((tx) => (actor.kind === 'agent' ? agentById(tx, actor.agentId) : undefined));
      if (agent === undefined) throw notFound('agent');
      return jsonReply(200, { data: await edge.mailboxes.tryOwn(agent.email) });
    },
  }),
];

// Mail from providers, and the inbound log (docs/spec/api.md#inbound-mail).

import * as z from 'zod';
import { hashSecret } from '../../../base/crypto.ts';
import { authorise } from '../../../desk/access.ts';
import { discardMail, holdMail, listInboundLog, readInboundLog } from '../../../desk/mail/log.ts';
import { DeskError, notFound } from '../../../domain/errors.ts';
import { type ProviderName, providerNames } from '../../../domain/mail/inbound.ts';
import { providers } from '../../../mail/inbound/providers.ts';
import { type Site, siteByInboundSecretHash } from '../../../store/sites/sites.ts';
import { ticketById } from '../../../store/tickets/tickets.ts';
import { chunksOf, maxRequestBytes } from '../../body.ts';
import { type Call, type Operation, operation } from '../../operation.ts';
import {
  filed,
  heldFor,
  inboundLogFilters,
  inboundMailShape,
  presentInboundMail,
} from '../../wire/mail/inbound-mail.ts';
import { list, pageOf, paging } from '../../wire/queries.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { pageReply } from '../lists.ts';
import { idOf, siteName } from '../parameters.ts';

// The headers that the parser reads. Others may hold credentials, so they are not stored.
const keptHeaders = [
  'content-type',
  'x-envelope-from',
  'x-envelope-to',
  'x-amz-sns-message-type',
  'x-amz-sns-topic-arn',
];

function providerOf(call: Call): ProviderName {
  const name = providerNames.find((one) => one === call.params.provider);
  if (!name) throw notFound('inbound address');
  return name;
}

function siteBehind(call: Call, provider: ProviderName): Site {
  const { edge, ctx, params } = call;
  const hash = hashSecret(params.secret ?? '');
  const site = edge.desk.read((tx) => siteByInboundSecretHash(tx, hash, ctx.now) ?? null);
  if (!site) throw notFound('inbound address');
  const allowance = edge.limits.inbound.take(String(site.id), ctx.now);
  if (!allowance.isAllowed) {
    throw new DeskError(providers[provider].beyondRateLimit, 'Too much mail at the same time. Send it again later.', {
      reason: 'rate_limited',
      retryAfterSeconds: Math.max(1, Math.ceil((allowance.resetAt - ctx.now) / 1000)),
    });
  }
  return site;
}

const rowId = (call: Call) => idOf(call, 'mail');

const inboundLogQuery = z.object({
  ...paging,
  outcome: list(z.enum(inboundLogFilters)).optional(),
  held_for: list(heldFor).optional(),
});
const replayInput = z.strictObject({
  release: z.boolean().optional().meta({
    description:
      'File a message that was held because its sender looked forged or sent too much, or that was taken for an automatic answer.',
  }),
  forward_again: z
    .boolean()
    .optional()
    .meta({ description: 'Forward it again, also to addresses that it was already forwarded to.' }),
});

export const inboundMailOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/webhooks/{provider}/inbound/{secret}',
    id: 'receiveMail',
    tag: 'Inbound mail',
    summary: 'Receive mail from a provider',
    description: `The provider is one of ${providerNames.join(', ')}. The desk stores the request before it answers, and answers 5xx only when it stored nothing.`,
    access: 'inbound',
    answer: { status: 200, description: 'The outcome', schema: filed },
    errors: [404, 413],
    async handle(call) {
      const provider = providerOf(call);
      const site = siteBehind(call, provider);
      const headers: Record<string, string> = {};
      for (const name of keptHeaders) {
        const value = call.header(name);
        if (value !== undefined) headers[name] = value;
      }
      const { row, ticket } = await call.edge.mailroom.receive(
        site,
        provider,
        headers,
        chunksOf(
          call.request,
          maxRequestBytes,
          () => new DeskError('too_large', `A request with mail can have at most ${maxRequestBytes} bytes.`),
        ),
      );
      // For the provider, mail that is stored but not filed yet is held.
      const outcome = row.outcome ?? 'held';
      return jsonReply(200, {
        message: outcome === 'failed' || outcome === 'held' ? 'Stored; see the inbound log.' : 'Accepted.',
        outcome,
        ticket: ticket?.ulid ?? null,
        matched_rules: row.matchedRules,
      });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/sites/{site}/inbound-mail',
    id: 'listInboundMail',
    tag: 'Inbound mail',
    summary: 'List inbound mail',
    description: 'The inbound log, newest first: all mail that arrived.',
    access: 'team',
    ability: 'read',
    query: inboundLogQuery,
    answer: { status: 200, description: 'One page', schema: shapes.page(inboundMailShape) },
    errors: [404],
    handle(call) {
      const asked = call.query;
      const page = pageOf(asked);
      return call.edge.desk.read((tx) => {
        const { rows, total } = listInboundLog(
          tx,
          call.ctx,
          siteName(call),
          { outcomes: asked.outcome ?? [], heldFor: asked.held_for ?? [] },
          page.perPage,
          (page.page - 1) * page.perPage,
        );
        const data = rows.map((row) =>
          presentInboundMail(row, row.ticketId === null ? null : (ticketById(tx, row.ticketId)?.ulid ?? null)),
        );
        return pageReply(call, data, page, total);
      });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/sites/{site}/inbound-mail/{id}',
    id: 'readInboundMail',
    tag: 'Inbound mail',
    summary: 'Read an inbound mail',
    description: 'One row of the inbound log, with the trace of the rules.',
    access: 'team',
    ability: 'read',
    answer: { status: 200, description: 'The row', schema: shapes.one(inboundMailShape) },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) => {
        const { row } = readInboundLog(tx, call.ctx, siteName(call), rowId(call));
        return jsonReply(200, {
          data: presentInboundMail(row, row.ticketId === null ? null : (ticketById(tx, row.ticketId)?.ulid ?? null)),
        });
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/inbound-mail/{id}/replay',
    id: 'replayInboundMail',
    tag: 'Inbound mail',
    summary: 'Replay an inbound mail',
    description: 'Files a stored message again under the current rules.',
    access: 'team',
    ability: 'manage',
    body: replayInput,
    isBodyOptional: true,
    answer: {
      status: 200,
      description: 'The outcome',
      schema: z.object({ message: z.string(), data: inboundMailShape }),
    },
    errors: [404, 409],
    async handle(call) {
      const site = siteName(call);
      const asked = call.body;
      call.edge.desk.read((tx) => {
        readInboundLog(tx, call.ctx, site, rowId(call));
        authorise(call.ctx, 'manage');
        return null;
      });
      const { row, ticket } = await call.edge.mailroom.replay(site, rowId(call), {
        isReleased: asked.release ?? false,
        forwardsAgain: asked.forward_again ?? false,
      });
      return jsonReply(200, { message: 'Replayed.', data: presentInboundMail(row, ticket?.ulid ?? null) });
    },
  }),
  decision(
    'discard',
    'discardInboundMail',
    'Discard an inbound mail',
    'Mail that was held or failed is discarded, and forgotten after 30 days. With block_sender, its sender joins blocked_senders of the site.',
    'block_sender',
    discardMail,
  ),
  decision(
    'hold',
    'holdInboundMail',
    'Hold an inbound mail',
    'Discarded mail waits for a decision again. With unblock_sender, its sender leaves blocked_senders.',
    'unblock_sender',
    holdMail,
  ),
];

function decision(
  verb: string,
  id: string,
  summary: string,
  description: string,
  choice: 'block_sender' | 'unblock_sender',
  decide: typeof discardMail,
): Operation {
  return operation({
    method: 'POST',
    path: `/api/v1/sites/{site}/inbound-mail/{id}/${verb}`,
    id,
    tag: 'Inbound mail',
    summary,
    description,
    access: 'team',
    ability: 'manage',
    body: z.strictObject({ [choice]: z.boolean().optional() }),
    isBodyOptional: true,
    answer: { status: 200, description: 'The row', schema: shapes.one(inboundMailShape) },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const row = decide(tx, call.ctx, siteName(call), rowId(call), call.body[choice]);
        return jsonReply(200, { data: presentInboundMail(row, null) });
      }),
  });
}

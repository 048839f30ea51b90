// Mail pushed by providers, its ledger (docs/spec/api.md#inbound-mail).

import * as z from 'zod';
import { hashSecret } from '../../base/crypto.ts';
import { authorise } from '../../desk/access.ts';
import { listLedger, readLedger } from '../../desk/inbound/filing.ts';
import { DeskError, notFound } from '../../domain/errors.ts';
import { type ProviderName, providerNames } from '../../domain/inbound.ts';
import { type Site, siteByInboundSecretHash } from '../../store/sites.ts';
import { ticketById } from '../../store/tickets.ts';
import { chunksOf, maxRequestBytes } from '../body.ts';
import { type Call, type Operation, operation } from '../operation.ts';
import { filed, ledgerFilters, ledgerShape, presentLedgerRow } from '../wire/inbound-mail.ts';
import { list, pageOf, paging } from '../wire/queries.ts';
import { jsonReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { pageReply } from './lists.ts';
import { idOf, siteName } from './parameters.ts';

// What providers put into headers and the parser reads; the rest is theirs and may hold credentials.
const keptHeaders = [
  'content-type',
  'x-envelope-from',
  'x-envelope-to',
  'x-amz-sns-message-type',
  'x-amz-sns-topic-arn',
];

function siteBehind(call: Call): Site {
  const { edge, ctx, params } = call;
  const hash = hashSecret(params.secret ?? '');
  const site = edge.desk.read((tx) => siteByInboundSecretHash(tx, hash, ctx.now) ?? null);
  if (!site || !(providerNames as readonly string[]).includes(params.provider ?? '')) throw notFound('inbound address');
  const verdict = edge.limits.inbound.take(String(site.id), ctx.now);
  if (!verdict.isAllowed) {
    // SendGrid throws away what is answered 4xx, 429 included, and sends again what is answered 5xx.
    const code = params.provider === 'sendgrid' ? 'unavailable' : 'rate_limited';
    throw new DeskError(code, 'Too much mail at once; send it again later.', {
      reason: 'rate_limited',
      retryAfterSeconds: Math.max(1, Math.ceil((verdict.resetAt - ctx.now) / 1000)),
    });
  }
  return site;
}

const rowId = (call: Call) => idOf(call, 'mail');

const ledgerQuery = z.object({ ...paging, outcome: list(z.enum(ledgerFilters)).optional() });
const replayInput = z.strictObject({
  release: z.boolean().optional().meta({
    description:
      'File it although it was held: a sender that looks forged, too many from one address; or an automatic answer that a person wrote.',
  }),
  forward_again: z.boolean().optional().meta({ description: 'Also forward it to addresses that it went to already.' }),
});

export const inboundMailOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/webhooks/{provider}/inbound/{secret}',
    id: 'receiveMail',
    tag: 'Inbound mail',
    summary: "Takes a provider's request",
    description: `The provider is one of ${providerNames.join(', ')}. The request is stored before it is answered; 5xx only when nothing was stored.`,
    access: 'inbound',
    answer: { status: 200, description: 'What became of it', schema: filed },
    errors: [404, 413],
    async handle(call) {
      const site = siteBehind(call);
      const headers: Record<string, string> = {};
      for (const name of keptHeaders) {
        const value = call.header(name);
        if (value !== undefined) headers[name] = value;
      }
      const { row, ticket } = await call.edge.mailroom.receive(
        site,
        call.params.provider as ProviderName,
        headers,
        chunksOf(
          call.request,
          maxRequestBytes,
          () => new DeskError('too_large', 'A request with mail may not be that large.'),
        ),
      );
      // Stored and not filed yet is held as far as the provider is concerned.
      const outcome = row.outcome ?? 'held';
      return jsonReply(200, {
        message: outcome === 'failed' || outcome === 'held' ? 'Stored; see the ledger.' : 'Accepted.',
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
    summary: 'The ledger of everything that arrived, newest first',
    access: 'team',
    query: ledgerQuery,
    answer: { status: 200, description: 'One page', schema: shapes.page(ledgerShape) },
    errors: [404],
    handle(call) {
      const asked = call.query;
      const page = pageOf(asked);
      return call.edge.desk.read((tx) => {
        const { rows, total } = listLedger(
          tx,
          call.ctx,
          siteName(call),
          asked.outcome ?? [],
          page.perPage,
          (page.page - 1) * page.perPage,
        );
        const data = rows.map((row) =>
          presentLedgerRow(row, row.ticketId === null ? null : (ticketById(tx, row.ticketId)?.ulid ?? null)),
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
    summary: 'One row of the ledger, with the trace of the rules',
    access: 'team',
    answer: { status: 200, description: 'The row', schema: shapes.one(ledgerShape) },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) => {
        const { row } = readLedger(tx, call.ctx, siteName(call), rowId(call));
        return jsonReply(200, {
          data: presentLedgerRow(row, row.ticketId === null ? null : (ticketById(tx, row.ticketId)?.ulid ?? null)),
        });
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/inbound-mail/{id}/replay',
    id: 'replayInboundMail',
    tag: 'Inbound mail',
    summary: "Run a stored message again through today's rules",
    access: 'team',
    body: replayInput,
    isBodyOptional: true,
    answer: {
      status: 200,
      description: 'What became of it',
      schema: z.object({ message: z.string(), data: ledgerShape }),
    },
    errors: [404, 409],
    async handle(call) {
      const site = siteName(call);
      const asked = call.body;
      call.edge.desk.read((tx) => {
        readLedger(tx, call.ctx, site, rowId(call));
        authorise(call.ctx, 'manage');
        return null;
      });
      const { row, ticket } = await call.edge.mailroom.replay(site, rowId(call), {
        isReleased: asked.release ?? false,
        forwardsAgain: asked.forward_again ?? false,
      });
      return jsonReply(200, { message: 'Replayed.', data: presentLedgerRow(row, ticket?.ulid ?? null) });
    },
  }),
];

// Mail pushed by providers, its ledger, and the dry run of the rules (docs/spec/api.md#inbound-mail).

import * as z from 'zod';
import { toWire } from '../base/clock.ts';
import { hashSecret } from '../base/crypto.ts';
import { authorise, findSite } from '../desk/access.ts';
import { listLedger, type Preview, readLedger } from '../desk/inbound-mail.ts';
import { DeskError, notFound } from '../domain/errors.ts';
import { inboundOutcomes, type ProviderName, providerNames } from '../domain/inbound.ts';
import type { RuleTrace } from '../domain/rule.ts';
import type { RuleDeed } from '../domain/rule-effects.ts';
import { referenceOf } from '../domain/ticket.ts';
import type { InboundMail } from '../store/inbound.ts';
import { type Site, siteByInboundSecretHash } from '../store/sites.ts';
import { ticketById } from '../store/tickets.ts';
import { chunksOf, maxRequestBytes } from './body.ts';
import type { Call, Operation } from './call.ts';
import { list, pageOf, paging } from './queries.ts';
import { jsonReply, pageBody } from './respond.ts';
import * as shapes from './shapes.ts';

const ruleName = z.object({ id: z.int(), name: z.string() });
const filed = z.object({
  message: z.string(),
  outcome: z.enum(inboundOutcomes),
  ticket: z.string().nullable(),
  matched_rules: z.array(ruleName),
});

const traceShape = z
  .object({
    id: z.int(),
    name: z.string(),
    outcome: z.enum(['matched', 'not_matched', 'skipped', 'inactive', 'not_reached']).meta({
      description:
        'Skipped: it names what is gone, or it was too slow: all rules together have 250 ms for one message.',
    }),
    explanation: z.string(),
    decided_by: z
      .int()
      .nullable()
      .meta({ description: 'Which of the conditions decided, from 0; null where none alone did.' }),
    conditions: z
      .array(
        z.object({
          field: z.string(),
          operator: z.string(),
          value: z.unknown(),
          negate: z.boolean(),
          holds: z.boolean(),
          explanation: z.string(),
        }),
      )
      .meta({
        description:
          'Those that were asked, in order. Behind so many that nobody would read them, rules are told of without conditions and actions.',
      }),
    actions: z.array(
      z.object({
        type: z.string(),
        value: z.unknown(),
        is_applied: z.boolean(),
        explanation: z.string(),
        result: z
          .unknown()
          .meta({ description: 'What came of it: the agent whose turn it was, the tags that were new.' }),
      }),
    ),
    is_last: z.boolean(),
  })
  .meta({ id: 'RuleTrace' });

const ledgerShape = z
  .object({
    id: z.int(),
    ulid: z.string(),
    site_id: z.int(),
    provider: z.enum(providerNames),
    status: z.enum(['received', 'done']),
    outcome: z.enum(inboundOutcomes).nullable(),
    reason: z.string().nullable(),
    sender: z.string().nullable(),
    recipient: z.string().nullable(),
    subject: z.string().nullable(),
    message_id: z.string().nullable(),
    size: z.int(),
    ticket: z.string().nullable(),
    matched_rules: z.array(ruleName),
    trace: z.array(traceShape),
    attempts: z.int(),
    retry_at: z.iso.datetime().nullable().meta({ description: 'When it is tried again, while it is not filed.' }),
    received_at: z.iso.datetime(),
    processed_at: z.iso.datetime().nullable(),
    erased_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the person whom it was from, or about, was erased.' }),
  })
  .meta({ id: 'InboundMail' });

export function presentLedgerRow(row: InboundMail, ticketUlid: string | null) {
  return {
    id: row.id,
    ulid: row.ulid,
    site_id: row.siteId,
    provider: row.provider,
    status: row.status,
    outcome: row.outcome,
    reason: row.reason,
    sender: row.sender,
    recipient: row.recipient,
    subject: row.subject,
    message_id: row.mailMessageId,
    size: row.size,
    ticket: ticketUlid,
    matched_rules: row.matchedRules,
    trace: (row.trace as RuleTrace[]).map(presentTrace),
    attempts: row.attempts,
    retry_at: toWire(row.retryAt),
    received_at: toWire(row.receivedAt),
    processed_at: toWire(row.processedAt),
    erased_at: toWire(row.erasedAt),
  };
}

/** What one rule made of a message, and why. */
function presentTrace({ ruleId, name, outcome, explanation, decidedBy, conditions, actions, isLast }: RuleTrace) {
  return {
    id: ruleId,
    name,
    outcome,
    explanation,
    decided_by: decidedBy,
    conditions: conditions.map((each) => ({ ...each.condition, holds: each.holds, explanation: each.explanation })),
    actions: actions.map((each) => ({
      ...each.action,
      is_applied: each.isApplied,
      explanation: each.explanation,
      result: each.result ?? null,
    })),
    is_last: isLast,
  };
}

export function presentPreview({ kind, plan, rules }: Preview) {
  const { matched, deeds, trace } = plan;
  const discard = trace
    .flatMap((entry) => entry.actions)
    .find((each) => each.isApplied && each.action.type === 'discard');
  const last = <K extends keyof RuleDeed>(key: K) => deeds.findLast((deed) => deed[key] !== undefined)?.[key] ?? null;
  return {
    kind,
    outcome: plan.outcome,
    reason: plan.reason,
    ticket: matched && { ulid: matched.ulid, reference: referenceOf(matched.id) },
    rules: rules.map(presentTrace),
    effects: {
      category_id: last('categoryId'),
      priority_id: last('priorityId'),
      assign: last('assigneeId'),
      tags: deeds.flatMap(({ tags }) => tags),
      metadata: Object.fromEntries(deeds.flatMap(({ metadata }) => Object.entries(metadata))),
      status: last('status'),
      notes: deeds.flatMap(({ notes }) => notes),
      forwards: deeds.flatMap(({ forwards }) => forwards),
      discard: discard === undefined ? null : plan.reason,
    },
  };
}

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

const rowId = (call: Call) => {
  if (!/^\d{1,15}$/.test(call.params.id ?? '')) throw notFound('mail');
  return Number(call.params.id);
};

/** What the ledger is asked for: an outcome, or `received` for what waits to be filed. */
export const ledgerFilters = [...inboundOutcomes, 'received'] as const;
const ledgerQuery = z.object({ ...paging, outcome: list(z.enum(ledgerFilters)).optional() });
const previewInput = z.object({
  raw: z
    .string()
    .min(1)
    .max(700_000)
    .meta({
      description: 'The MIME text of a message.',
      examples: ['From: mia@example.org\r\nSubject: Invoice\r\n\r\nHello'],
    }),
});

const replayInput = z.strictObject({
  release: z.boolean().optional().meta({
    description:
      'File it although it was held: a sender that looks forged, too many from one address; or an automatic answer that a person wrote.',
  }),
  forward_again: z.boolean().optional().meta({ description: 'Also forward it to addresses that it went to already.' }),
});

export const inboundMailOperations: readonly Operation[] = [
  {
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
  },
  {
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
      const asked = call.query as z.output<typeof ledgerQuery>;
      const page = pageOf(asked);
      return call.edge.desk.read((tx) => {
        const { rows, total } = listLedger(
          tx,
          call.ctx,
          call.params.site ?? '',
          asked.outcome ?? [],
          page.perPage,
          (page.page - 1) * page.perPage,
        );
        const data = rows.map((row) =>
          presentLedgerRow(row, row.ticketId === null ? null : (ticketById(tx, row.ticketId)?.ulid ?? null)),
        );
        return jsonReply(200, pageBody(call.edge.baseUrl, call.url, data, page, total));
      });
    },
  },
  {
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
        const { row } = readLedger(tx, call.ctx, call.params.site ?? '', rowId(call));
        return jsonReply(200, {
          data: presentLedgerRow(row, row.ticketId === null ? null : (ticketById(tx, row.ticketId)?.ulid ?? null)),
        });
      }),
  },
  {
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
      const site = call.params.site ?? '';
      const asked = (call.body ?? {}) as z.output<typeof replayInput>;
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
  },
  {
    method: 'POST',
    path: '/api/v1/sites/{site}/inbound-rules/test',
    id: 'testInboundRules',
    tag: 'Inbound rules',
    summary: 'A dry run: which rules match a message and why, and what would happen',
    description:
      'It changes nothing, but it costs as much work as filing a mail, so it needs the abilities "read" and "write".',
    access: 'team',
    isDryRun: true,
    body: previewInput,
    answer: {
      status: 200,
      description: 'The trace of every rule and the effects together',
      schema: z.object({
        data: z.object({
          kind: z.string(),
          outcome: z.enum(inboundOutcomes),
          reason: z.string(),
          ticket: z.object({ ulid: z.string(), reference: z.string() }).nullable(),
          rules: z.array(traceShape),
          effects: z.record(z.string(), z.unknown()),
        }),
      }),
    },
    errors: [404],
    async handle(call) {
      const { raw } = call.body as z.output<typeof previewInput>;
      call.edge.desk.read((tx) => {
        authorise(call.ctx, 'read');
        authorise(call.ctx, 'write');
        findSite(tx, call.ctx, call.params.site ?? '');
        return null;
      });
      return jsonReply(200, {
        data: presentPreview(await call.edge.mailroom.preview(call.params.site ?? '', new TextEncoder().encode(raw))),
      });
    },
  },
];

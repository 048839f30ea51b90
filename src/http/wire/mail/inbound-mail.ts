// The inbound log and the dry run of inbound rules on the wire (docs/spec/api.md#inbound-mail).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { Preview } from '../../../desk/mail/filing.ts';
import { heldCodes, heldCodesIn } from '../../../domain/mail/held-texts.ts';
import { heldReasons, inboundOrigins, inboundOutcomes, inboundStatuses } from '../../../domain/mail/inbound.ts';
import { checkVerdicts, type SenderChecks } from '../../../domain/mail/sender-checks.ts';
import type { RuleColumn } from '../../../domain/rules/deed.ts';
import { type RuleTrace, ruleTraceOutcomes } from '../../../domain/rules/rule.ts';
import { referenceOf } from '../../../domain/tickets/ticket.ts';
import type { Mailroom } from '../../../jobs/mailroom.ts';
import type { InboundMail } from '../../../store/mail/inbound.ts';
import { id } from '../shapes.ts';

const ruleName = z.object({ id: id(), name: z.string() });
export const filed = z.object({
  message: z.string(),
  outcome: z.enum(inboundOutcomes),
  ticket: z.string().nullable(),
  matched_rules: z.array(ruleName),
});

export const traceShape = z
  .object({
    id: id(),
    name: z.string(),
    outcome: z.enum(ruleTraceOutcomes).meta({
      description:
        'skipped: the rule names something that no longer exists, or it was too slow. All rules together have 250 ms for one message.',
    }),
    explanation: z.string(),
    decided_by: z
      .int()
      .nullable()
      .meta({ description: 'The index of the condition that decided, from 0; null when no single condition did.' }),
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
          'The conditions that were checked, in order. In a very long trace, later rules have no conditions and actions.',
      }),
    actions: z.array(
      z.object({
        type: z.string(),
        value: z.unknown(),
        is_applied: z.boolean(),
        explanation: z.string(),
        result: z.unknown().meta({ description: 'The result, such as the assigned agent or the new tags.' }),
      }),
    ),
    is_last: z.boolean(),
  })
  .meta({ id: 'RuleTrace' });

const checksShape = z
  .object({
    verdict: z.enum(checkVerdicts),
    client: z.string().nullable().meta({ description: 'The address that handed the mail over.' }),
    spf: z.object({ result: z.string(), domain: z.string().nullable() }),
    dkim: z.array(z.object({ result: z.string(), domain: z.string(), selector: z.string() })),
    dmarc: z.object({ result: z.string(), domain: z.string().nullable(), policy: z.string().nullable() }),
    arc: z.object({ result: z.string(), sealer: z.string().nullable(), is_trusted: z.boolean() }),
  })
  .meta({ id: 'SenderChecks' })
  .nullable()
  .meta({
    description: 'What the desk found itself; null for mail that a provider or a trusted server vouches for.',
  });

const spamShape = z
  .object({
    score: z.number().nullable().meta({ description: 'Null when the filter could not say; why says it.' }),
    symbols: z.array(z.object({ name: z.string(), score: z.number() })),
    why: z.string().nullable(),
  })
  .meta({ id: 'SpamCheck' })
  .nullable()
  .meta({ description: 'What the spam filter of the desk said; null if it was not asked.' });

export const heldFor = z.enum(heldReasons).meta({
  id: 'HeldFor',
  description:
    'Why it waits for a decision. spam: its sender or ticket was marked so. too_much: mail of one sender. undeliverable: for answers, to an address that no one has. forward_bounces: a rule discards what it forwards, and the forward comes back. other: someone put it back.',
});

export const heldCountsShape = z.object({
  newest_id: id().nullable(),
  reasons: z.array(z.object({ held_for: heldFor, count: z.int() })),
});

export const inboundMailShape = z
  .object({
    id: id(),
    ulid: z.string(),
    site_id: id(),
    provider: z.enum(inboundOrigins).meta({ description: 'form: written into the form of the site.' }),
    status: z.enum(inboundStatuses),
    outcome: z.enum(inboundOutcomes).nullable(),
    held_for: heldFor.nullable(),
    reason: z.string().nullable(),
    reason_codes: z.array(z.object({ code: z.enum(heldCodes), values: z.record(z.string(), z.string()) })).meta({
      description: 'What reason says, sentence by sentence, of mail that waits. Empty where it has other words.',
    }),
    sender: z.string().nullable(),
    recipient: z.string().nullable(),
    subject: z.string().nullable(),
    message_id: z.string().nullable(),
    size: z.int(),
    ticket: z.string().nullable(),
    matched_rules: z.array(ruleName),
    trace: z.array(traceShape),
    attempts: z.int(),
    retry_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'The time of the next attempt, while the mail is not filed.' }),
    received_at: z.iso.datetime(),
    processed_at: z.iso.datetime().nullable(),
    erased_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the person who sent it, or whom it was about, was erased.' }),
    sender_checks: checksShape,
    spam_check: spamShape,
    form: z
      .object({ name: z.string().nullable(), message: z.string() })
      .nullable()
      .meta({ description: 'What was written into a form that waits for a decision.' }),
  })
  .meta({ id: 'InboundMail' });

const address = z.object({ email: z.string(), name: z.string().nullable() });

export const arrivedMessageShape = z
  .object({
    from: address.nullable(),
    reply_to: address.nullable(),
    to: z.array(address),
    cc: z.array(address),
    envelope_from: z
      .string()
      .nullable()
      .meta({ description: 'The return path; empty for automatic mail, null when unknown.' }),
    date: z.string().nullable().meta({ description: 'When its sender says that it was written.' }),
    text: z.string(),
    html: z
      .string()
      .nullable()
      .meta({ description: 'Sanitised. Images of other hosts keep their address in data-remote-src.' }),
    headers: z
      .array(z.object({ name: z.string(), value: z.string() }))
      .meta({ description: 'As they arrived, grouped by name.' }),
    sender_verdict: z.enum(['pass', 'fail', 'none']).meta({
      description:
        'pass: SPF, DKIM or DMARC prove the domain of the sender. fail: they prove a forgery. none: nothing is known.',
    }),
    spam_score: z.number().nullable(),
    files: z
      .array(
        z.object({
          filename: z.string(),
          content_type: z.string().nullable(),
          size: z.int(),
          url: z.string().nullable().meta({ description: 'Where a caller with manage can download it.' }),
        }),
      )
      .meta({ description: 'content_type and url are null for a file that the desk does not accept.' }),
    is_cut: z.boolean().meta({ description: 'Whether there is more text, or more headers.' }),
  })
  .meta({ id: 'ArrivedMessage' });

export const originalShape = arrivedMessageShape
  .omit({ text: true, html: true, files: true })
  .extend({
    sender_checks: checksShape,
    spam_check: spamShape,
    received_at: z.iso.datetime(),
    size: z.int().meta({ description: 'Of the whole message, in bytes.' }),
    source: z.string().meta({ description: 'The message itself, or its beginning.' }),
    is_cut: z.boolean().meta({ description: 'Whether there is more source, or more headers.' }),
  })
  .meta({ id: 'OriginalMessage' });

// What a person scrolls through; the rest of a long mail is files in Base64.
const mostSource = 200_000;

export function presentOriginal(
  mail: Awaited<ReturnType<Mailroom['show']>>,
  row: InboundMail,
  bytes: Uint8Array,
): z.output<typeof originalShape> {
  const { text: _, html: __, files: ___, ...told } = presentArrivedMessage({ ...mail, isCut: false }, () => '');
  const source = new TextDecoder().decode(bytes.subarray(0, mostSource));
  return {
    ...told,
    sender_checks: row.senderChecks && presentChecks(row.senderChecks),
    spam_check: row.spamCheck,
    received_at: toWire(row.receivedAt),
    size: bytes.length,
    source,
    is_cut: bytes.length > mostSource,
  };
}

export function presentArrivedMessage(
  mail: Awaited<ReturnType<Mailroom['show']>>,
  urlOf: (at: number) => string,
): z.output<typeof arrivedMessageShape> {
  const person = ({ address: email, name }: { address: string; name: string }) => ({ email, name: name || null });
  return {
    from: mail.from && person(mail.from),
    reply_to: mail.replyTo && person(mail.replyTo),
    to: mail.to.map(person),
    cc: mail.cc.map(person),
    envelope_from: mail.envelope.from,
    date: mail.date,
    text: mail.text,
    html: mail.html,
    headers: mail.headers,
    sender_verdict: mail.verdict,
    spam_score: mail.spamScore,
    files: mail.files.map(({ filename, contentType, size }, at) => ({
      filename,
      content_type: contentType,
      size,
      url: contentType === null ? null : urlOf(at),
    })),
    is_cut: mail.isCut,
  };
}

function presentChecks({ verdict, client, spf, dkim, dmarc, arc }: SenderChecks) {
  const { isTrusted: is_trusted, ...seal } = arc;
  return { verdict, client, spf, dkim, dmarc, arc: { ...seal, is_trusted } };
}

type HeldForm = NonNullable<InboundMail['form']>;

/** What was written into a form, in the shape of a message. */
export function presentHeldForm({ email, name, message }: HeldForm): z.output<typeof arrivedMessageShape> {
  return {
    from: { email, name: name ?? null },
    reply_to: null,
    to: [],
    cc: [],
    envelope_from: null,
    date: null,
    text: message,
    html: null,
    headers: [],
    sender_verdict: 'none',
    spam_score: null,
    files: [],
    is_cut: false,
  };
}

export function presentInboundMail(row: InboundMail, ticketUlid: string | null) {
  return {
    id: row.id,
    ulid: row.ulid,
    site_id: row.siteId,
    provider: row.provider,
    status: row.status,
    outcome: row.outcome,
    held_for: row.heldFor,
    reason: row.reason,
    reason_codes: row.outcome === 'held' ? heldCodesIn(row.reason ?? '') : [],
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
    sender_checks: row.senderChecks && presentChecks(row.senderChecks),
    spam_check: row.spamCheck,
    form: row.form && { name: row.form.name ?? null, message: row.form.message },
  };
}

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
  const column = (name: RuleColumn) => deeds.findLast(({ change }) => change[name] !== undefined)?.change[name] ?? null;
  return {
    kind,
    outcome: plan.outcome,
    reason: plan.reason,
    ticket: matched && { ulid: matched.ulid, reference: referenceOf(matched.id) },
    rules: rules.map(presentTrace),
    effects: {
      category_id: column('category_id'),
      priority_id: column('priority_id'),
      assign: column('assigned_to'),
      tags: deeds.flatMap(({ tags }) => tags),
      participants: deeds.flatMap(({ participants }) => participants),
      metadata: Object.fromEntries(deeds.flatMap(({ metadata }) => Object.entries(metadata))),
      status: deeds.findLast(({ status }) => status !== undefined)?.status ?? null,
      notes: deeds.flatMap(({ notes }) => notes),
      forwards: deeds.flatMap(({ forwards }) => forwards),
      discard: discard === undefined ? null : plan.reason,
    },
  };
}

export const inboundLogFilters = [...inboundOutcomes, 'received'] as const;

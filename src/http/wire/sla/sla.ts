// A ticket's SLA ledger on the wire (docs/spec/behaviour.md#sla).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { SlaPreview } from '../../../desk/sla/preview.ts';
import type { Moved } from '../../../desk/sla/recompute.ts';
import type { TicketLedger } from '../../../desk/sla/sla.ts';
import { slaClocks } from '../../../domain/sla/clock.ts';
import { type ClockLedger, ledgerEntryKinds } from '../../../domain/sla/ledger.ts';
import { referenceOf } from '../../../domain/tickets/ticket.ts';
import { presenter } from '../presenter.ts';
import { maybeTime, time } from '../shapes.ts';

const clockShape = z
  .object({
    clock: z.enum(slaClocks),
    target_minutes: z.int().nullable(),
    started_at: maybeTime().meta({ description: 'null until the customer answers what an agent opened by mail' }),
    due_at: maybeTime(),
    stopped_at: maybeTime(),
    warned_at: maybeTime(),
    breached_at: maybeTime(),
    is_paused: z.boolean(),
    elapsed_seconds: z.number(),
    remaining_seconds: z.number().nullable(),
    paused_seconds: z.number(),
    intervals: z.array(
      z.object({
        kind: z.enum(ledgerEntryKinds),
        from: time(),
        to: maybeTime(),
        working_seconds: z.number(),
        is_projected: z.boolean(),
        event_seq: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'SlaClock' });
export const slaPreviewShape = z
  .object({ opened_at: time(), timezone: z.string(), clocks: z.array(clockShape) })
  .meta({ id: 'SlaPreview' });

export const ledgerShape = z
  .object({
    ticket_ulid: z.string(),
    reference: z.string(),
    status: z.string(),
    timezone: z.string().nullable(),
    warn_at_percent: z.int(),
    is_paused: z.boolean(),
    clocks: z.array(clockShape),
  })
  .meta({ id: 'SlaLedger' });

const presentClock = presenter(clockShape, (ledger: ClockLedger) => ({
  elapsed_seconds: ledger.elapsedMs / 1000,
  remaining_seconds: ledger.remainingMs === null ? null : ledger.remainingMs / 1000,
  paused_seconds: ledger.pausedMs / 1000,
  intervals: ledger.entries.map((entry) => ({
    kind: entry.kind,
    from: toWire(entry.from),
    to: toWire(entry.to),
    working_seconds: entry.workingMs / 1000,
    is_projected: entry.isProjected,
    event_seq: entry.bySeq,
  })),
}));

export function presentLedger(ledger: TicketLedger) {
  return {
    ticket_ulid: ledger.ticket.ulid,
    reference: referenceOf(ledger.ticket.id),
    status: ledger.ticket.status,
    timezone: ledger.timezone,
    warn_at_percent: ledger.warnAtPercent,
    is_paused: ledger.isPaused,
    clocks: ledger.clocks.map(presentClock),
  };
}

export function presentSlaPreview({ openedAt, timezone, clocks }: SlaPreview) {
  return { opened_at: toWire(openedAt), timezone, clocks: clocks.map(presentClock) };
}

export function presentMoved({ ticket, before, after, late }: Moved) {
  return {
    ticket_ulid: ticket.ulid,
    reference: referenceOf(ticket.id),
    first_response_due_at: { from: toWire(before.firstResponseDueAt), to: toWire(after.firstResponseDueAt) },
    resolution_due_at: { from: toWire(before.resolutionDueAt), to: toWire(after.resolutionDueAt) },
    is_late: late,
  };
}

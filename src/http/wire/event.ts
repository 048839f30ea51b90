// Events on the wire.

import * as z from 'zod';
import { toWire } from '../../base/clock.ts';
import { storedActorTypes } from '../../domain/actor.ts';
import { eventKinds } from '../../domain/event.ts';
import { automationKinds } from '../../domain/rules/trigger.ts';
import type { Event } from '../../store/events.ts';
import type { Lookups } from './lookups.ts';
import { id, named, time } from './shapes.ts';

export const eventShape = named(
  'Event',
  z.object({
    seq: z.int(),
    event: z.enum(eventKinds),
    site_id: id(),
    ticket_id: id().nullable(),
    actor: z.object({
      type: z.enum(storedActorTypes),
      id: z.int().nullable(),
      name: z.string().nullable(),
      rule_kind: z.enum(automationKinds).optional().meta({ description: 'Only of a rule that is no inbound rule.' }),
      by_mail: z.literal(true).optional().meta({ description: 'Only of what an agent did by mail.' }),
    }),
    data: z.record(z.string(), z.unknown()),
    created_at: time(),
  }),
);

export function presentEvent(event: Event, look: Lookups) {
  const name =
    event.actor.type === 'author' && event.actor.id !== null
      ? (look.author(event.actor.id)?.name ?? null)
      : event.actor.name;
  return {
    seq: event.seq,
    event: event.kind,
    site_id: event.siteId,
    ticket_id: event.ticketId,
    actor: { ...event.actor, name },
    data: event.data,
    created_at: toWire(event.createdAt),
  };
}

// Side conversations on the wire (docs/spec/conversations.md#forward-and-side-conversations).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { ShownSideConversation } from '../../../desk/tickets/side-conversations.ts';
import { deliveryStatuses } from '../../../domain/outbox/delivery.ts';
import { id, maybeTime, named, time, ulid } from '../shapes.ts';

const person = z.object({ email: z.string(), name: z.string().nullable() });

export const sideConversationShape = named(
  'SideConversation',
  z.object({
    id: id(),
    ulid: ulid(),
    subject: z.string(),
    people: z.array(person),
    is_closed: z.boolean(),
    closed_at: maybeTime(),
    created_at: time(),
    messages: z.array(
      z.object({
        ulid: ulid(),
        is_agent: z.boolean(),
        agent_name: z.string().nullable(),
        sender: person.nullable(),
        sender_verified: z
          .boolean()
          .nullable()
          .meta({ description: 'false: no one wrote to this address. null: nothing proves who sent it.' }),
        body: z.string(),
        quoted: z.string().nullable(),
        attachment_ids: z.array(id()),
        deliveries: z.array(
          z.object({ email: z.string(), status: z.enum(deliveryStatuses), error: z.string().nullable() }),
        ),
        created_at: time(),
      }),
    ),
  }),
);

export function presentSideConversation(row: ShownSideConversation) {
  return {
    id: row.id,
    ulid: row.ulid,
    subject: row.subject,
    people: row.people,
    is_closed: row.closedAt !== null,
    closed_at: toWire(row.closedAt),
    created_at: toWire(row.createdAt),
    messages: row.messages.map((message) => ({
      ulid: message.ulid,
      is_agent: message.agentName !== null,
      agent_name: message.agentName,
      sender:
        message.agentName !== null || message.senderEmail === null
          ? null
          : { email: message.senderEmail, name: message.senderName },
      sender_verified: message.senderVerified,
      body: message.body,
      quoted: message.quoted,
      attachment_ids: message.attachments.map((file) => file.id),
      deliveries: message.deliveries.map(({ recipient, status, error }) => ({ email: recipient, status, error })),
      created_at: toWire(message.createdAt),
    })),
  };
}

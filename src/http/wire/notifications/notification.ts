// Notifications on the wire (docs/spec/notifications.md).

import * as z from 'zod';
import { mailboxAlarms } from '../../../domain/mail/mailbox-alarms.ts';
import { notificationKinds, reasons } from '../../../domain/notifications/notification.ts';
import { truncate } from '../../../domain/text.ts';
import { referenceOf } from '../../../domain/tickets/ticket.ts';
import type { Tx } from '../../../engine/database.ts';
import { eventBySeq } from '../../../store/events.ts';
import { allMailboxes } from '../../../store/mail/mailboxes.ts';
import type { Notification } from '../../../store/notifications/notifications.ts';
import { anyChannel } from '../../../store/sites/catalogue.ts';
import { messageByUlid } from '../../../store/tickets/messages.ts';
import { sideMessageById } from '../../../store/tickets/side-conversations.ts';
import { ticketById } from '../../../store/tickets/tickets.ts';
import { createLookups } from '../lookups.ts';
import { presenter } from '../presenter.ts';
import { id, maybeTime, named, time, ulid } from '../shapes.ts';

export const notificationShape = named(
  'Notification',
  z.object({
    id: id(),
    kind: z.enum(notificationKinds),
    reason: z.enum(reasons).meta({ description: 'Why you hear of it: the strongest reason.' }),
    site_id: id().nullable().meta({ description: 'Null for the whole desk.' }),
    ticket: z.object({ ulid: ulid(), reference: z.string(), subject: z.string() }).nullable(),
    actor: z.string().nullable().meta({ description: 'The name of who did it.' }),
    message_ulid: ulid().nullable().meta({ description: 'The message or note that it tells of.' }),
    excerpt: z.string().nullable().meta({ description: 'How that begins.' }),
    subject: z.string().nullable().meta({ description: 'Of an alarm: the channel or the mailbox.' }),
    alarm: z.enum(mailboxAlarms).nullable(),
    detail: z.string().nullable().meta({ description: 'Of an alarm: what is wrong, in English.' }),
    created_at: time(),
    read_at: maybeTime(),
  }),
);

const excerptLength = 160;
const excerptOf = (body: string) => truncate(body.replaceAll(/\s+/g, ' ').trim(), excerptLength);

function saidIn(tx: Tx, row: Notification) {
  const event = row.eventSeq === null ? undefined : eventBySeq(tx, row.eventSeq);
  const side = row.payload.side_message_id === undefined ? undefined : sideMessageById(tx, row.payload.side_message_id);
  if (side !== undefined)
    return { actor: side.senderName ?? side.senderEmail, messageUlid: null, excerpt: excerptOf(side.body) };
  const messageUlid = event?.data.message_ulid;
  const message = typeof messageUlid === 'string' ? messageByUlid(tx, messageUlid) : undefined;
  const look = createLookups(tx);
  if (message !== undefined)
    return { actor: look.speaker(message), messageUlid: message.ulid, excerpt: excerptOf(message.body) };
  return { actor: event?.actor.name ?? null, messageUlid: null, excerpt: null };
}

export const presentNotification = presenter(notificationShape, (row: Notification, tx: Tx) => {
  const ticket = row.ticketId === null ? undefined : ticketById(tx, row.ticketId);
  const { actor, messageUlid, excerpt } = saidIn(tx, row);
  const { channel_id: channelId, mailbox_id: mailboxId, alarm, reason } = row.payload;
  const subject =
    channelId !== undefined
      ? anyChannel(tx, channelId)?.name
      : mailboxId !== undefined
        ? allMailboxes(tx).find((one) => one.id === mailboxId)?.address
        : undefined;
  return {
    ticket: ticket ? { ulid: ticket.ulid, reference: referenceOf(ticket.id), subject: ticket.subject } : null,
    actor,
    message_ulid: messageUlid,
    excerpt,
    subject: subject ?? null,
    alarm: alarm ?? null,
    detail: reason ?? null,
  };
});

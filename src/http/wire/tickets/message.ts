// Messages and attachments on the wire, for agents and for customers.

import * as z from 'zod';
import { type Instant, toWire } from '../../../base/clock.ts';
import { customerLinkKinds } from '../../../domain/customers/link.ts';
import { messageDeliveryStatuses } from '../../../domain/outbox/delivery.ts';
import { scanStatuses, withheld } from '../../../domain/tickets/files.ts';
import {
  authorRoles,
  type MailedRecipient,
  notMailedCodes,
  notMailedIn,
  type Recipient,
  recipientFields,
} from '../../../domain/tickets/participant.ts';
import { bodyFormats } from '../../../domain/tickets/ticket.ts';
import type { Links } from '../../../files/links.ts';
import type { Mention } from '../../../store/tickets/mentions.ts';
import type { Attachment, Message } from '../../../store/tickets/messages.ts';
import type { ScheduledReply } from '../../../store/tickets/scheduled-replies.ts';
import type { DraftFile } from '../../../store/tickets/ticket-drafts.ts';
import type { Lookups } from '../lookups.ts';
import { withInlineImages } from '../mail/inline-images.ts';
import { authorShape, presentAuthor } from '../people/people.ts';
import { id, maybeTime, named, time, ulid } from '../shapes.ts';

export const attachmentShape = named(
  'Attachment',
  z.object({
    id: id(),
    ulid: ulid(),
    filename: z.string(),
    content_type: z.string(),
    size: z.int(),
    sha256: z.string(),
    message_id: id().nullable(),
    url: z.string(),
    url_expires_at: time(),
    scan: z
      .object({ status: z.enum(scanStatuses), found: z.string().nullable() })
      .nullable()
      .meta({
        description:
          'What the virus scanner says: waiting and infected cannot be downloaded (409), unchecked can. null: it came while there was no scanner.',
      }),
    created_at: time(),
  }),
);

type ShownFile = Omit<DraftFile, 'agentId' | 'scanNextAt'> & Partial<Pick<Attachment, 'ticketId' | 'messageId'>>;

export function presentAttachment(attachment: ShownFile, links: Links, now: Instant) {
  const { url, expiresAt } = links.attachment(attachment, now);
  return {
    id: attachment.id,
    ulid: attachment.ulid,
    filename: attachment.filename,
    content_type: attachment.contentType,
    size: attachment.size,
    sha256: attachment.sha256,
    message_id: attachment.messageId ?? null,
    url,
    url_expires_at: toWire(expiresAt),
    scan: attachment.scanStatus && { status: attachment.scanStatus, found: attachment.scanFound },
    created_at: toWire(attachment.createdAt),
  };
}

const errorCode = z
  .enum(notMailedCodes)
  .nullable()
  .meta({ description: 'Why the desk itself did not mail it. Null: it did, or error has what a mail server said.' });

const recipientShape = z.object({
  email: z.string(),
  name: z.string().nullable(),
  as: z.enum(recipientFields),
  status: z.enum(messageDeliveryStatuses).nullable().meta({ description: 'null: not sent yet' }),
  at: maybeTime(),
  error: z.string().nullable(),
  error_code: errorCode,
});

export const presentRecipient = ({ email, name, as, ...mailed }: Recipient & Partial<MailedRecipient>) => ({
  email,
  name,
  as,
  status: mailed.status ?? null,
  at: mailed.at ?? null,
  error: mailed.error ?? null,
  error_code: notMailedIn(mailed.error ?? null),
});

export const presentDelivery = (delivery: Message['delivery']) =>
  delivery && { ...delivery, error_code: notMailedIn(delivery.error) };

export const messageShape = named(
  'Message',
  z.object({
    id: id().nullable().meta({ description: 'null until it is sent' }),
    ulid: ulid(),
    body: z.string(),
    body_format: z.enum(bodyFormats),
    is_internal: z.boolean(),
    is_automated: z.boolean(),
    is_agent: z.boolean(),
    agent_id: id().nullable(),
    agent_name: z.string().nullable(),
    author_name: z.string(),
    author: authorShape.nullable(),
    author_role: z
      .enum(authorRoles)
      .nullable()
      .meta({ description: 'other: someone who is not on the ticket. null: no customer wrote it.' }),
    source: z.string(),
    sender_verified: z.boolean().nullable(),
    via_link: z
      .object({ ulid: ulid(), kind: z.enum(customerLinkKinds), address: z.string(), is_confirmed: z.boolean() })
      .nullable()
      .meta({ description: 'The link by which a customer wrote it, and whether they had confirmed its address.' }),
    delivery: z
      .object({
        status: z.enum(messageDeliveryStatuses),
        at: time(),
        error: z.string().nullable(),
        error_code: errorCode,
      })
      .nullable(),
    recipients: z
      .array(recipientShape)
      .meta({ description: 'Whom a reply went to, or will go to, and what became of the mail to each.' }),
    sender_id: id().nullable().meta({ description: 'The sender that a reply is from; null: the one of the ticket.' }),
    has_original: z.boolean().meta({ description: 'Whether the mail that it came by can be read and downloaded.' }),
    html: z.string().nullable(),
    whole_body: z.string().nullable(),
    mentions: z.array(z.object({ id: id(), name: z.string() })),
    send_at: maybeTime().meta({ description: 'Not null: it is sent then, and only agents see it.' }),
    created_at: time(),
    edited_at: maybeTime().meta({ description: 'When the writer of a note changed it last.' }),
    attachments: z.array(attachmentShape),
  }),
);

export const customerMessageShape = named(
  'CustomerMessage',
  z.object({
    id: id(),
    ulid: ulid(),
    body: z.string(),
    body_format: z.enum(bodyFormats),
    is_automated: z.boolean(),
    is_agent: z.boolean(),
    agent_name: z.string().nullable(),
    author_name: z.string(),
    html: z.string().nullable().meta({ description: 'Markdown as safe HTML; otherwise null' }),
    created_at: time(),
    attachments: z.array(attachmentShape),
  }),
);

export interface TicketFiles {
  attachments: readonly Attachment[];
  links: Links;
  now: Instant;
}

interface Thread extends TicketFiles {
  mentions: readonly Mention[];
}

const agentsNamed = (look: Lookups, ids: readonly number[]) =>
  ids.flatMap((id) => {
    const agent = look.agent(id);
    return agent ? [{ id, name: agent.name }] : [];
  });

function presentViaLink({ linkId, authorId, isConfirmed }: Message, look: Lookups) {
  const link = linkId === null ? undefined : look.customerLink(linkId);
  if (link === undefined) return null;
  // Several people have a shared link; who wrote by it has proved to be the author of the message.
  const address = link.kind === 'shared' ? (look.author(authorId ?? 0)?.email ?? '') : link.address;
  return { ulid: link.ulid, kind: link.kind, address, is_confirmed: isConfirmed === true };
}

export function presentMessage(message: Message, look: Lookups, { attachments, links, now, mentions }: Thread) {
  const author = message.authorId === null ? undefined : look.author(message.authorId);
  const shown = attachments
    .filter(({ messageId }) => messageId === message.id)
    .map((attachment) => presentAttachment(attachment, links, now));
  const urlOf = (ulid: string) =>
    attachments.some((file) => file.ulid === ulid && withheld(file) === null)
      ? shown.find((attachment) => attachment.ulid === ulid)?.url
      : undefined;
  const mentioned = mentions.filter(({ messageId }) => messageId === message.id).map(({ agentId }) => agentId);
  return {
    id: message.id,
    ulid: message.ulid,
    body: message.body,
    body_format: message.bodyFormat,
    is_internal: message.isInternal,
    is_automated: message.isAutomated,
    is_agent: message.isAgent,
    agent_id: message.agentId,
    agent_name: message.agentName,
    author_name: look.speaker(message),
    author: author ? presentAuthor(author) : null,
    author_role: look.role(message),
    source: message.source,
    sender_verified: message.senderVerified,
    via_link: presentViaLink(message, look),
    delivery: presentDelivery(message.delivery),
    recipients: (message.recipients ?? []).map(presentRecipient),
    sender_id: message.senderId,
    has_original: look.hasOriginal(message),
    html: message.html === null ? null : withInlineImages(message.html, urlOf),
    whole_body: message.wholeBody,
    mentions: agentsNamed(look, mentioned),
    send_at: null,
    created_at: toWire(message.createdAt),
    edited_at: toWire(message.editedAt),
    attachments: shown,
  };
}

/** As the message that it becomes, without an id. For agents only. */
export function presentScheduledReply(reply: ScheduledReply, look: Lookups, { attachments, links, now }: TicketFiles) {
  return {
    id: null,
    ulid: reply.ulid,
    body: reply.body,
    body_format: reply.bodyFormat,
    is_internal: reply.isInternal,
    is_automated: false,
    is_agent: true,
    agent_id: reply.agentId,
    agent_name: reply.agentName,
    author_name: reply.agentName,
    author: null,
    author_role: null,
    source: 'agent',
    sender_verified: null,
    via_link: null,
    delivery: null,
    recipients: reply.isInternal ? [] : (reply.recipients ?? look.everyoneOn(reply.ticketId)).map(presentRecipient),
    sender_id: reply.senderId,
    has_original: false,
    html: reply.html,
    whole_body: null,
    mentions: agentsNamed(look, reply.mentions),
    send_at: toWire(reply.sendAt),
    created_at: toWire(reply.createdAt),
    edited_at: null,
    attachments: attachments
      .filter(({ scheduledReplyId }) => scheduledReplyId === reply.id)
      .map((attachment) => presentAttachment(attachment, links, now)),
  };
}

export function presentMessageForCustomer(message: Message, look: Lookups, files: TicketFiles) {
  return {
    id: message.id,
    ulid: message.ulid,
    body: message.body,
    body_format: message.bodyFormat,
    is_automated: message.isAutomated,
    is_agent: message.isAgent,
    agent_name: message.agentName,
    author_name: look.speaker(message),
    html: message.bodyFormat === 'markdown' ? message.html : null,
    created_at: toWire(message.createdAt),
    attachments: files.attachments
      .filter(({ messageId, isInternal }) => messageId === message.id && !isInternal)
      .map((attachment) => presentAttachment(attachment, files.links, files.now)),
  };
}

// Messages and attachments on the wire, for agents and for customers.

import * as z from 'zod';
import { type Instant, toWire } from '../../base/clock.ts';
import { customerLinkKinds } from '../../domain/customer-link.ts';
import { messageDeliveryStatuses } from '../../domain/delivery.ts';
import { bodyFormats } from '../../domain/ticket.ts';
import type { Links } from '../../files/links.ts';
import type { Mention } from '../../store/mentions.ts';
import type { Attachment, Message } from '../../store/messages.ts';
import type { ScheduledReply } from '../../store/scheduled-replies.ts';
import { withInlineImages } from './inline-images.ts';
import type { Lookups } from './lookups.ts';
import { authorShape, presentAuthor } from './people.ts';
import { id, maybeTime, named, time, ulid } from './shapes.ts';

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
    created_at: time(),
  }),
);

export function presentAttachment(attachment: Attachment, links: Links, now: Instant) {
  const { url, expiresAt } = links.attachment(attachment.ulid, now);
  return {
    id: attachment.id,
    ulid: attachment.ulid,
    filename: attachment.filename,
    content_type: attachment.contentType,
    size: attachment.size,
    sha256: attachment.sha256,
    message_id: attachment.messageId,
    url,
    url_expires_at: toWire(expiresAt),
    created_at: toWire(attachment.createdAt),
  };
}

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
    source: z.string(),
    sender_verified: z.boolean().nullable(),
    via_link: z
      .object({ ulid: ulid(), kind: z.enum(customerLinkKinds), address: z.string(), is_confirmed: z.boolean() })
      .nullable()
      .meta({ description: 'The link by which a customer wrote it, and whether they had confirmed its address.' }),
    delivery: z
      .object({ status: z.enum(messageDeliveryStatuses), at: time(), error: z.string().nullable() })
      .nullable(),
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

function presentViaLink({ linkId, isConfirmed }: Message, look: Lookups) {
  const link = linkId === null ? undefined : look.customerLink(linkId);
  return link ? { ulid: link.ulid, kind: link.kind, address: link.address, is_confirmed: isConfirmed === true } : null;
}

export function presentMessage(message: Message, look: Lookups, { attachments, links, now, mentions }: Thread) {
  const author = message.authorId === null ? undefined : look.author(message.authorId);
  const shown = attachments
    .filter(({ messageId }) => messageId === message.id)
    .map((attachment) => presentAttachment(attachment, links, now));
  const urlOf = (ulid: string) => shown.find((attachment) => attachment.ulid === ulid)?.url;
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
    source: message.source,
    sender_verified: message.senderVerified,
    via_link: presentViaLink(message, look),
    delivery: message.delivery,
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
    is_internal: false,
    is_automated: false,
    is_agent: true,
    agent_id: reply.agentId,
    agent_name: reply.agentName,
    author_name: reply.agentName,
    author: null,
    source: 'agent',
    sender_verified: null,
    via_link: null,
    delivery: null,
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

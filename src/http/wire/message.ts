// Messages and attachments on the wire, for agents and for customers.

import * as z from 'zod';
import { type Instant, toWire } from '../../base/clock.ts';
import { messageDeliveryStatuses } from '../../domain/delivery.ts';
import { bodyFormats } from '../../domain/ticket.ts';
import type { Links } from '../../files/links.ts';
import type { Attachment, Message } from '../../store/messages.ts';
import { withInlineImages } from './inline-images.ts';
import type { Lookups } from './lookups.ts';
import { authorShape, presentAuthor } from './people.ts';
import { id, named, time, ulid } from './shapes.ts';

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
    id: id(),
    ulid: ulid(),
    body: z.string(),
    body_format: z.enum(bodyFormats),
    is_internal: z.boolean(),
    is_automated: z.boolean(),
    is_agent: z.boolean(),
    agent_name: z.string().nullable(),
    author_name: z.string().nullable(),
    author: authorShape.nullable(),
    source: z.string(),
    sender_verified: z.boolean().nullable(),
    delivery: z
      .object({ status: z.enum(messageDeliveryStatuses), at: time(), error: z.string().nullable() })
      .nullable(),
    html: z.string().nullable(),
    whole_body: z.string().nullable(),
    created_at: time(),
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
    author_name: z.string().nullable(),
    created_at: time(),
    attachments: z.array(attachmentShape),
  }),
);

interface TicketFiles {
  attachments: readonly Attachment[];
  links: Links;
  now: Instant;
}

function speakerOf(message: Message): string | null {
  return message.authorName ?? (message.isAgent ? message.agentName : null);
}

export function presentMessage(message: Message, look: Lookups, { attachments, links, now }: TicketFiles) {
  const author = message.authorId === null ? undefined : look.author(message.authorId);
  const shown = attachments
    .filter(({ messageId }) => messageId === message.id)
    .map((attachment) => presentAttachment(attachment, links, now));
  const urlOf = (ulid: string) => shown.find((attachment) => attachment.ulid === ulid)?.url;
  return {
    id: message.id,
    ulid: message.ulid,
    body: message.body,
    body_format: message.bodyFormat,
    is_internal: message.isInternal,
    is_automated: message.isAutomated,
    is_agent: message.isAgent,
    agent_name: message.agentName,
    author_name: speakerOf(message),
    author: author ? presentAuthor(author) : null,
    source: message.source,
    sender_verified: message.senderVerified,
    delivery: message.delivery,
    html: message.html === null ? null : withInlineImages(message.html, urlOf),
    whole_body: message.wholeBody,
    created_at: toWire(message.createdAt),
    attachments: shown,
  };
}

export function presentMessageForCustomer(message: Message, files: TicketFiles) {
  return {
    id: message.id,
    ulid: message.ulid,
    body: message.body,
    body_format: message.bodyFormat,
    is_automated: message.isAutomated,
    is_agent: message.isAgent,
    agent_name: message.agentName,
    author_name: speakerOf(message),
    created_at: toWire(message.createdAt),
    attachments: files.attachments
      .filter(({ messageId, isInternal }) => messageId === message.id && !isInternal)
      .map((attachment) => presentAttachment(attachment, files.links, files.now)),
  };
}

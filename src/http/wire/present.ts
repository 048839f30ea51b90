// The only producer of the wire's shapes (docs/spec/api.md#conventions): rows in, snake_case out.

import { type Instant, toWire } from '../../base/clock.ts';
import type { DeliveryMaterial, LoggedDelivery } from '../../desk/outbox.ts';
import type { AgentWithSites } from '../../desk/people.ts';
import { followMerges } from '../../desk/tickets.ts';
import { referenceOf } from '../../domain/ticket.ts';
import type { Links } from '../../files/links.ts';
import type { Tx } from '../../store/database.ts';
import type { Event } from '../../store/events.ts';
import type { Attachment, Message } from '../../store/messages.ts';
import { type Agent, type Author, agentById, authorById, authorsByIds, type TeamToken } from '../../store/people.ts';
import {
  anyCategory,
  anyPriority,
  type Category,
  type Channel,
  type CustomFieldRow,
  type InboundRule,
  type Priority,
  type Site,
  siteById,
} from '../../store/sites.ts';
import { extrasOfTickets, type Ticket, ticketById } from '../../store/tickets.ts';
import { withInlineImages } from './inline-images.ts';

/** A moment that is always there. */
const time = (at: Instant) => toWire(at);

interface Addresses {
  baseUrl: string;
  inboundDomain: string;
}

export function presentSite(site: Site, { baseUrl, inboundDomain }: Addresses, inboundSecret: string | null) {
  return {
    id: site.id,
    ulid: site.ulid,
    name: site.name,
    slug: site.slug,
    description: site.description,
    default_priority_id: site.defaultPriorityId,
    inbound_address: `${site.slug}@${inboundDomain}`,
    ...(inboundSecret === null ? {} : { inbound_webhook_url: inboundWebhookUrl(baseUrl, inboundSecret) }),
    sla_policy: site.slaPolicy,
    settings: site.settings,
    created_at: time(site.createdAt),
    updated_at: time(site.updatedAt),
  };
}

/** The address for a provider that sends raw mail; the others are told by their name in place of `raw`. */
export function inboundWebhookUrl(baseUrl: string, secret: string): string {
  return `${baseUrl}/api/webhooks/raw/inbound/${secret}`;
}

export function presentCategory(category: Category) {
  return {
    id: category.id,
    name: category.name,
    slug: category.slug,
    description: category.description,
    color: category.color,
    sort_order: category.sortOrder,
    is_active: category.isActive,
  };
}

export function presentPriority(priority: Priority, isDefault: boolean) {
  return {
    id: priority.id,
    name: priority.name,
    slug: priority.slug,
    color: priority.color,
    level: priority.level,
    sort_order: priority.sortOrder,
    is_default: isDefault,
    is_active: priority.isActive,
    first_response_minutes: priority.firstResponseMinutes,
    resolution_minutes: priority.resolutionMinutes,
    sla_hours: priority.resolutionMinutes === null ? null : priority.resolutionMinutes / 60,
  };
}

export function presentCustomField(field: CustomFieldRow) {
  return {
    id: field.id,
    key: field.key,
    label: field.label,
    description: field.description,
    type: field.type,
    options: field.options,
    is_required: field.isRequired,
    is_author_visible: field.isAuthorVisible,
    sort_order: field.sortOrder,
    is_active: field.isActive,
  };
}

/** Without its secret part: on chat platforms whoever knows the path may post. */
function maskedUrl(text: string): string {
  return `${new URL(text).origin}/…`;
}

/** A receiver's answer without the secret part of its address, which servers like to repeat when they find nothing there. */
function maskedAnswer(text: string, url: string): string {
  const { pathname, searchParams } = new URL(url);
  const parts = [...pathname.split('/'), ...searchParams.values()];
  return [...parts, ...parts.map(decodedPart)]
    .filter((part) => part.length >= 4)
    .reduce((masked, part) => masked.replaceAll(part, '…'), text);
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function presentChannel(channel: Channel, mayManage: boolean) {
  return {
    id: channel.id,
    name: channel.name,
    type: channel.type,
    webhook_url: mayManage ? channel.webhookUrl : maskedUrl(channel.webhookUrl),
    events: channel.events,
    header_prefix: channel.type === 'custom' ? channel.headerPrefix : null,
    is_active: channel.isActive,
    consecutive_failures: channel.consecutiveFailures,
    disabled_at: toWire(channel.disabledAt),
    disabled_reason: channel.disabledReason,
    last_delivery_at: toWire(channel.lastDeliveryAt),
    created_at: time(channel.createdAt),
  };
}

export function presentRule(rule: InboundRule) {
  return {
    id: rule.id,
    name: rule.name,
    position: rule.position,
    is_active: rule.isActive,
    match: rule.match,
    conditions: rule.conditions,
    actions: rule.actions,
    stop_processing: rule.stopProcessing,
  };
}

export function presentAgent(agent: Agent) {
  return { id: agent.id, name: agent.name, email: agent.email, role: agent.role, is_active: agent.isActive };
}

export function presentAgentWithSites(agent: AgentWithSites) {
  return { ...presentAgent(agent), site_ids: agent.siteIds };
}

export function presentToken(token: TeamToken) {
  return {
    id: token.id,
    name: token.name,
    abilities: token.abilities,
    site: token.siteId,
    expires_at: toWire(token.expiresAt),
    last_used_at: toWire(token.lastUsedAt),
    created_at: time(token.createdAt),
  };
}

export function presentAuthor(author: Author) {
  return {
    id: author.id,
    external_id: author.externalId,
    name: author.name,
    email: author.email,
    is_verified: author.isVerified,
    anonymised_at: toWire(author.anonymisedAt),
  };
}

/** Lookups that repeat within one answer. */
interface Lookups {
  category(id: number): ReturnType<typeof presentCategory> | undefined;
  priority(id: number): ReturnType<typeof presentPriority> | undefined;
  author(id: number): Author | undefined;
  agent(id: number): Agent | undefined;
  mergedInto(ticket: Ticket): string | null;
  /** What an application sent as `context.extra`. */
  extra(ticket: Ticket): unknown;
}

/** @param listed tickets without their contexts, about which everything will be asked: read at once */
export function createLookups(tx: Tx, listed: readonly Ticket[] = []): Lookups {
  const authors = listed.length === 0 ? [] : authorsByIds(tx, [...new Set(listed.map(({ authorId }) => authorId))]);
  const extras =
    listed.length === 0
      ? null
      : extrasOfTickets(
          tx,
          listed.map(({ id }) => id),
        );
  const remembered = <Row>(find: (tx: Tx, id: number) => Row | undefined, known: [number, Row][] = []) => {
    const rows = new Map<number, Row | undefined>(known);
    return (id: number) => {
      if (!rows.has(id)) rows.set(id, find(tx, id));
      return rows.get(id);
    };
  };
  return {
    category: remembered((_tx, id) => {
      const category = anyCategory(tx, id);
      return category && presentCategory(category);
    }),
    priority: remembered((_tx, id) => {
      const priority = anyPriority(tx, id);
      return priority && presentPriority(priority, siteById(tx, priority.siteId)?.defaultPriorityId === id);
    }),
    author: remembered(
      authorById,
      authors.map((author) => [author.id, author]),
    ),
    agent: remembered(agentById),
    mergedInto: (ticket) =>
      ticket.mergedIntoId === null ? null : (ticketById(tx, followMerges(tx, ticket).id)?.ulid ?? null),
    extra: (ticket) => (extras === null ? ticket.context?.extra : extras.get(ticket.id)),
  };
}

function presentSla(ticket: Ticket) {
  const pausedMinutes = Math.floor(ticket.resolutionPausedMs / 600) / 100;
  return {
    first_response_due_at: toWire(ticket.firstResponseDueAt),
    first_response_at: toWire(ticket.firstResponseAt),
    first_response_warned_at: toWire(ticket.firstResponseWarnedAt),
    first_response_breached_at: toWire(ticket.firstResponseBreachedAt),
    resolution_due_at: toWire(ticket.resolutionDueAt),
    resolved_at: toWire(ticket.resolvedAt),
    resolution_warned_at: toWire(ticket.resolutionWarnedAt),
    resolution_breached_at: toWire(ticket.resolutionBreachedAt),
    sla_paused_at: toWire(ticket.slaPausedAt),
    sla_paused_minutes: pausedMinutes,
    sla: {
      first_response_due_at: toWire(ticket.firstResponseDueAt),
      first_response_warned_at: toWire(ticket.firstResponseWarnedAt),
      first_response_breached_at: toWire(ticket.firstResponseBreachedAt),
      resolution_due_at: toWire(ticket.resolutionDueAt),
      resolution_warned_at: toWire(ticket.resolutionWarnedAt),
      resolution_breached_at: toWire(ticket.resolutionBreachedAt),
      paused_at: toWire(ticket.slaPausedAt),
      paused_minutes: pausedMinutes,
    },
  };
}

export function presentTicket(ticket: Ticket, look: Lookups) {
  const extra = look.extra(ticket);
  const author = look.author(ticket.authorId);
  const assignee = ticket.assigneeId === null ? undefined : look.agent(ticket.assigneeId);
  return {
    id: ticket.id,
    ulid: ticket.ulid,
    reference: referenceOf(ticket.id),
    site_id: ticket.siteId,
    subject: ticket.subject,
    status: ticket.status,
    source: ticket.source,
    is_test: ticket.isTest,
    tags: ticket.tags,
    custom_fields: ticket.customFields,
    metadata: extra === undefined ? ticket.metadata : { ...ticket.metadata, extra },
    category: ticket.categoryId === null ? null : (look.category(ticket.categoryId) ?? null),
    priority: look.priority(ticket.priorityId) ?? null,
    author: author ? presentAuthor(author) : null,
    assignee: assignee ? { id: assignee.id, name: assignee.name, email: assignee.email } : null,
    ...presentSla(ticket),
    closed_at: toWire(ticket.closedAt),
    merged_into: look.mergedInto(ticket),
    message_count: ticket.messageCount,
    last_customer_message_at: toWire(ticket.lastCustomerMessageAt),
    last_agent_message_at: toWire(ticket.lastAgentMessageAt),
    created_at: time(ticket.createdAt),
    updated_at: time(ticket.updatedAt),
  };
}

/** What the customer sees: nothing internal, only author-visible custom fields (docs/spec/api.md#tickets). */
export function presentTicketForCustomer(ticket: Ticket, look: Lookups, visibleFields: readonly CustomFieldRow[]) {
  const category = ticket.categoryId === null ? null : look.category(ticket.categoryId);
  const priority = look.priority(ticket.priorityId);
  const visible = new Set(
    visibleFields.filter(({ isActive, isAuthorVisible }) => isActive && isAuthorVisible).map(({ key }) => key),
  );
  return {
    id: ticket.id,
    ulid: ticket.ulid,
    reference: referenceOf(ticket.id),
    subject: ticket.subject,
    status: ticket.status,
    category: category?.name ?? null,
    priority: priority?.name ?? null,
    custom_fields: Object.fromEntries(Object.entries(ticket.customFields).filter(([key]) => visible.has(key))),
    created_at: time(ticket.createdAt),
    updated_at: time(ticket.updatedAt),
    resolved_at: toWire(ticket.resolvedAt),
    closed_at: toWire(ticket.closedAt),
  };
}

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
    url_expires_at: time(expiresAt),
    created_at: time(attachment.createdAt),
  };
}

interface Thread {
  attachments: readonly Attachment[];
  links: Links;
  now: Instant;
}

/** Whoever wrote a message, an agent or not. */
function speakerOf(message: Message): string | null {
  return message.authorName ?? (message.isAgent ? message.agentName : null);
}

export function presentMessage(message: Message, look: Lookups, { attachments, links, now }: Thread) {
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
    created_at: time(message.createdAt),
    attachments: shown,
  };
}

/** A public message as the customer sees it: no e-mail addresses of anybody, no delivery. */
export function presentMessageForCustomer(message: Message, thread: Thread) {
  return {
    id: message.id,
    ulid: message.ulid,
    body: message.body,
    body_format: message.bodyFormat,
    is_automated: message.isAutomated,
    is_agent: message.isAgent,
    agent_name: message.agentName,
    author_name: speakerOf(message),
    created_at: time(message.createdAt),
    attachments: thread.attachments
      .filter(({ messageId, isInternal }) => messageId === message.id && !isInternal)
      .map((attachment) => presentAttachment(attachment, thread.links, thread.now)),
  };
}

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
    created_at: time(event.createdAt),
  };
}

/**
 * @param material what the delivery is made of now
 * @param body what it sends, composed of that; null for mail, and where what it tells of is gone
 */
export function presentDelivery(
  { delivery, attempts }: LoggedDelivery,
  material: DeliveryMaterial | null,
  body: string | null,
  mayManage: boolean,
) {
  const url = material?.channel ? presentChannel(material.channel, mayManage).webhook_url : null;
  const request = url === null || body === null ? null : { method: 'POST' as const, url, body };
  return {
    id: delivery.id,
    ulid: delivery.ulid,
    event: delivery.event,
    status: delivery.status,
    ticket_id: delivery.ticketId,
    next_attempt_at: toWire(delivery.nextAt),
    request,
    finished_at: toWire(delivery.finishedAt),
    last_error: delivery.lastError,
    created_at: time(delivery.createdAt),
    attempts: attempts.map((attempt) => ({
      at: time(attempt.at),
      duration_ms: attempt.durationMs,
      response_status: attempt.responseStatus,
      response_excerpt:
        mayManage || !material?.channel
          ? attempt.responseExcerpt
          : maskedAnswer(attempt.responseExcerpt, material.channel.webhookUrl),
      error: attempt.error,
    })),
  };
}

// Turns the stored material of a delivery into a channel notification or a mail.

import type { DeliveryMaterial } from '../desk/outbox/content.ts';
import { linkUrl } from '../desk/people/sign-in-links.ts';
import { fromOf } from '../desk/sites/site-senders.ts';
import { nameForOthers } from '../domain/customers/link.ts';
import { DeskError } from '../domain/errors.ts';
import { isAuthorMail } from '../domain/event.ts';
import type { MailboxAlarm } from '../domain/mail/mailbox-alarms.ts';
import { alarmPaths, type NotificationKind } from '../domain/notifications/notification.ts';
import { preferencesPath } from '../domain/notifications/preferences.ts';
import { localeOf, publicName } from '../domain/sites/site.ts';
import { slaClocks } from '../domain/sla/clock.ts';
import type { Addressee, ParticipantChange } from '../domain/tickets/participant.ts';
import { referenceOf } from '../domain/tickets/ticket.ts';
import { type ComposedMail, composeMail } from '../mail/outgoing/compose.ts';
import type {
  AgentMail,
  MailAttachment,
  MailContent,
  MailFrame,
  ReportNumbers,
  TicketAtAGlance,
} from '../mail/outgoing/mail-content.ts';
import type { Author } from '../store/customers/authors.ts';
import type { Message } from '../store/tickets/messages.ts';
import type { Notification } from './notification.ts';
import { formatNotification } from './platforms/formats.ts';

function gone(what: string): DeskError {
  return new DeskError('not_found', `The ${what} of this delivery no longer exists.`);
}

function notificationOf(material: DeliveryMaterial, baseUrl: string): Notification {
  const { delivery, site, channel, ticket, event } = material;
  if (!site) throw gone('site');
  const envelope = {
    deliveryId: delivery.ulid,
    at: event?.createdAt ?? delivery.createdAt,
    url: ticket ? ticketUrl(baseUrl, ticket.ulid) : baseUrl,
    site: { id: site.id, slug: site.slug, name: site.name },
  };
  if (delivery.event === 'channel.test')
    return { ...envelope, event: 'channel.test', ticket: null, channelName: channel?.name ?? '' };
  if (delivery.event === 'mailbox.alarm')
    return { ...envelope, event: 'mailbox.alarm', ticket: null, ...alarmOf(material) };
  const alarm = deskAlarmOf(material, envelope, baseUrl);
  if (alarm !== null) return alarm;
  if (!ticket || !event) throw gone('ticket');
  const notified = {
    ulid: ticket.ulid,
    id: ticket.id,
    reference: referenceOf(ticket.id),
    subject: ticket.subject,
    status: delivery.payload.status ?? ticket.status,
    priority: material.priorityName,
    authorName: nameOf(material.author),
    participants: material.participants
      .filter(({ removedAt }) => removedAt === null)
      .map(({ person: { email, name } }) => ({ email, name })),
  };
  switch (delivery.event) {
    case 'ticket.created':
    case 'ticket.replied':
      return { ...envelope, event: delivery.event, ticket: notified, message: saidIn(material) };
    case 'ticket.status_changed':
      return {
        ...envelope,
        event: delivery.event,
        ticket: notified,
        oldStatus: String(event.data.old_status),
        newStatus: String(event.data.new_status),
      };
    case 'ticket.assigned':
      return {
        ...envelope,
        event: delivery.event,
        ticket: notified,
        assignee: material.assignee && { id: material.assignee.id, name: material.assignee.name },
        team: material.team && { id: material.team.id, name: material.team.name },
      };
    case 'ticket.participants_changed': {
      const people = (change: ParticipantChange) => (event.data[change] ?? []) as Addressee[];
      return {
        ...envelope,
        event: delivery.event,
        ticket: notified,
        changes: {
          added: people('added'),
          back: people('back'),
          removed: people('removed'),
          paused: people('paused'),
        },
        leftOut: Number(event.data.left_out ?? 0),
      };
    }
    case 'ticket.rated':
      if (material.ticket?.satisfaction == null) throw gone('rating');
      return {
        ...{ ...envelope, event: delivery.event, ticket: notified },
        ...{ rating: material.ticket.satisfaction, comment: material.ticket.satisfactionComment },
      };
    case 'ticket.sla_warning':
    case 'ticket.sla_breached':
      return { ...envelope, event: delivery.event, ticket: notified, deadline: deadlineOf(material) };
    default:
      throw new Error(`${delivery.event} is not a notification`);
  }
}

const kindOf = { 'inbound.held': 'mail_held', 'backup.failed': 'backup_failed', 'disk.low': 'disk_low' } as const;

/** Null: it is about something else. Leads to the page where it can be put right. */
function deskAlarmOf(
  { delivery: { event, payload }, subjectChannel }: DeliveryMaterial,
  known: Pick<Notification, 'deliveryId' | 'at' | 'site'>,
  baseUrl: string,
): Notification | null {
  const urlOf = (kind: NotificationKind) => `${baseUrl}${alarmPaths[kind] ?? ''}`;
  switch (event) {
    case 'inbound.held':
    case 'backup.failed':
    case 'disk.low':
      return { ...known, event, ticket: null, url: urlOf(kindOf[event]) };
    case 'channel.disabled': {
      if (subjectChannel === null) throw gone('channel');
      const { id, name } = subjectChannel;
      const about = { channelId: id, channelName: name, reason: payload.reason ?? '' };
      return { ...known, event, ticket: null, url: `${urlOf('channel_disabled')}/${id}`, ...about };
    }
    default:
      return null;
  }
}

/** With the command that helps. */
function alarmOf({ delivery: { payload }, subjectMailbox, site }: DeliveryMaterial) {
  if (!subjectMailbox || payload.alarm === undefined) throw gone('mailbox');
  const { id, address, provider } = subjectMailbox;
  const verb: Partial<Record<MailboxAlarm, string>> = {
    refused: 'password',
    consent_needed: 'connect',
    consent: 'connect',
    failing: 'test',
    quiet: 'test',
    canary: 'test',
  };
  const ofMailbox = `${verb[payload.alarm] ?? 'show'} ${id} --site ${site?.slug ?? ''}`;
  return {
    mailboxId: id,
    address,
    alarm: payload.alarm,
    reason: payload.reason ?? '',
    command: `helpdesk mailbox ${payload.alarm === 'client_secret' ? `app ${provider}` : ofMailbox}`,
  };
}

/** Notes are for agents: of a ticket that begins with one, only its author is told. */
function saidIn({ delivery, message, messageAuthor, author }: DeliveryMaterial) {
  if (message === null || message.isInternal) {
    if (delivery.event !== 'ticket.created') throw gone('message');
    const of = { authorName: nameOf(author), authorExternalId: author?.externalId ?? null };
    return { ulid: null, body: '', isAgent: false, agentName: null, ...of };
  }
  const { ulid, body, isAgent, agentName } = message;
  return {
    ...{ ulid, body, isAgent, agentName },
    authorName: isAgent ? nameOf(author) : message.authorName || nameOf(messageAuthor),
    authorExternalId: (isAgent ? author : messageAuthor)?.externalId ?? null,
  };
}

function nameOf(author: Author | null): string | null {
  return author && (author.name || author.email);
}

/** As on the page of a ticket: of an address, who reads it and is someone else sees only a hint. */
function quotedName({ answered, answeredAuthor, author, readers, delivery }: DeliveryMaterial): string {
  const { name = null, email = '' } = answeredAuthor ?? author ?? {};
  const goesTo = readers?.goesTo ?? [delivery.recipient];
  const said = answered?.authorName || name;
  return goesTo.every((reader) => reader === email) ? said || email : nameForOthers(said, email);
}

interface RuleDid {
  subject?: string;
  body?: unknown;
}

/** What a rule says, which its event has. */
function saidByRule({ event }: DeliveryMaterial): RuleDid {
  if (event === null) throw gone('event');
  return (event.data.did ?? {}) as RuleDid;
}

export function bodyOfWebhook(
  material: DeliveryMaterial & { channel: NonNullable<DeliveryMaterial['channel']> },
  baseUrl: string,
): string {
  if (material.delivery.event === 'rule.webhook') return JSON.stringify(saidByRule(material).body ?? {});
  return formatNotification(material.channel.type, notificationOf(material, baseUrl));
}

export function requestBodyOf(material: DeliveryMaterial, baseUrl: string): string | null {
  if (!material.channel) return null;
  try {
    return bodyOfWebhook({ ...material, channel: material.channel }, baseUrl);
  } catch (error) {
    if (error instanceof DeskError) return null;
    throw error;
  }
}

function ticketUrl(baseUrl: string, ulid: string): string {
  return `${baseUrl}/tickets/${ulid}`;
}

function deadlineOf({ event, delivery }: DeliveryMaterial) {
  const due = Date.parse(String(event?.data.due_at));
  const type = slaClocks.find((clock) => clock === event?.data.sla_type);
  if (type === undefined) throw gone('SLA clock');
  return {
    type,
    minutesRemaining: Number(event?.data.minutes_remaining ?? 0),
    dueAt: Number.isNaN(due) ? delivery.createdAt : due,
  };
}

export interface MailSettings {
  baseUrl: string;
  inboundDomain: string;
  from: string;
  /** Whether mail leaves, and is not written to files. */
  hasServer: boolean;
  deskId: string;
}

export async function mailOf(
  material: DeliveryMaterial,
  settings: MailSettings,
  attachments: readonly MailAttachment[],
  numbers: ReportNumbers | null = null,
): Promise<ComposedMail> {
  const { delivery, site, deskName, customerLink, sender } = material;
  if (delivery.event === 'mail.template_test') return sampleOf(material, settings);
  const isToCustomer = isAuthorMail(delivery.event) || delivery.event === 'mail.side_message';
  const brand = isToCustomer ? site?.settings.brand : undefined;
  const name = brand?.name ?? site?.name ?? deskName;
  // What strangers answer to a rule's mail is nothing that the ticket's people said.
  const isOfDesk = delivery.event === 'mail.customer_code' || delivery.event === 'mail.rule';
  const isOfOneTicket = !isOfDesk && material.assigned.length < 2;
  const ticket = isOfOneTicket ? material.ticket : null;
  const references = isOfOneTicket ? material.references : [];
  return composeMail(
    {
      site: { name, color: brand?.color ?? null },
      locale: material.agentView?.locale ?? (site ? localeOf(site) : 'en'),
      template: await renderedTemplate(material, name),
      link: customerLink && {
        ...{ ...customerLink, url: settings.baseUrl + customerLink.path },
        rating: customerLink.rating && {
          good: settings.baseUrl + customerLink.rating.good,
          bad: settings.baseUrl + customerLink.rating.bad,
        },
      },
      from: { name: sender?.name || name, address: sender?.address || settings.from },
      to: { name: delivery.payload.recipient_name ?? '', address: delivery.recipient ?? '' },
      ...readersIn(material),
      unsubscribeUrl:
        material.unsubscribeToken && `${settings.baseUrl}/api/v1/unsubscribe/${material.unsubscribeToken}`,
      ticket: ticket && { ulid: ticket.ulid, reference: referenceOf(ticket.id), subject: ticket.subject },
      inboundDomain: settings.inboundDomain,
      replyTo: ticket !== null || material.side !== null ? material.answersTo : null,
      answerAddress: material.agentView?.answerAddress ?? (ticket === null ? (material.side?.address ?? null) : null),
      deskId: settings.deskId,
      messageId: delivery.mailMessageId ?? '',
      inReplyTo: references.at(-1) ?? null,
      references: references.slice(0, -1),
      at: delivery.createdAt,
    },
    numbers === null ? await contentOf(material, settings, attachments) : reportIn(material, settings, numbers),
  );
}

async function renderedTemplate({ template, ticket, customerCode }: DeliveryMaterial, siteName: string) {
  if (template === null) return null;
  const { renderTemplate } = await import('../mail/outgoing/template.ts');
  const reference = ticket === null ? '' : referenceOf(ticket.id);
  return renderTemplate(template, { siteName, reference, code: customerCode ?? '' });
}

async function sampleOf({ delivery, site, sender, template }: DeliveryMaterial, settings: MailSettings) {
  const { template: name, locale } = delivery.payload;
  if (!site || !sender || name === undefined || locale === undefined) throw gone('site');
  const { composeSample } = await import('../mail/outgoing/sample.ts');
  return composeSample(
    name,
    {
      site: { name: publicName(site), color: site.settings.brand.color },
      locale,
      from: fromOf(site, sender, settings.from),
      to: { name: delivery.payload.recipient_name ?? '', address: delivery.recipient ?? '' },
      ticket: null,
      inboundDomain: settings.inboundDomain,
      deskId: settings.deskId,
      messageId: delivery.mailMessageId ?? '',
      at: delivery.createdAt,
    },
    template,
    { baseUrl: settings.baseUrl, isOpen: site.settings.customer_links === 'open' },
  );
}

/** Without anyone in To, those in Cc are the ones it is meant for. */
function readersIn({ readers }: DeliveryMaterial): Pick<MailFrame, 'readers'> {
  if (readers === null) return {};
  const named = (as: 'to' | 'cc') =>
    readers.readers.filter((one) => one.as === as).map(({ name, email }) => ({ name: name ?? '', address: email }));
  const [to, cc] = [named('to'), named('cc')];
  return { readers: { to: to.length > 0 ? to : cc, cc: to.length > 0 ? cc : [], goesTo: readers.goesTo } };
}

async function wordsOf({ body, bodyFormat, html }: Pick<Message, 'body' | 'bodyFormat' | 'html'>) {
  if (bodyFormat !== 'markdown' || html === null) return { body, html: null };
  const { writtenAsText } = await import('../mail/outgoing/written-text.ts');
  return { body: writtenAsText(body, html), html };
}

function reportIn({ report }: DeliveryMaterial, { baseUrl }: MailSettings, numbers: ReportNumbers): MailContent {
  if (report === null) throw gone('report');
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(report.saved.query))
    if (name !== 'period') query.set(name, value === true ? '1' : [value].flat().join());
  for (const name of ['from', 'to'] as const) query.set(name, numbers[name]);
  const url = `${baseUrl}/reports/${numbers.report}?${query}`;
  return { kind: 'report', name: report.saved.name, numbers, url, choicesUrl: `${baseUrl}/reports` };
}

function digestOf({ told }: DeliveryMaterial, baseUrl: string) {
  const url = `${baseUrl}/notifications`;
  const items = (told ?? []).map(({ notification: { kind }, ticket }) => ({
    kind,
    ticket: ticket && { reference: referenceOf(ticket.id), subject: ticket.subject },
    url: ticket ? ticketUrl(baseUrl, ticket.ulid) : url,
  }));
  return { kind: 'digest', items, url } as const;
}

function assignedTogether({ assigned, event }: DeliveryMaterial, baseUrl: string): MailContent {
  return {
    kind: 'assigned_together',
    by: event?.actor.name ?? null,
    tickets: assigned.map(({ id, ulid, subject, siteName }) => ({
      site: siteName,
      reference: referenceOf(id),
      subject,
      url: ticketUrl(baseUrl, ulid),
    })),
    url: `${baseUrl}/inbox/mine`,
  };
}

function glanceAt({ ticket, agentView, site }: DeliveryMaterial, settings: MailSettings): TicketAtAGlance {
  if (!ticket || !agentView || !site) throw gone('ticket');
  const { customer, others, clocks, messages, timeZone } = agentView;
  return {
    url: ticketUrl(settings.baseUrl, ticket.ulid),
    customer,
    others,
    clocks,
    messages: messages.map(({ isAgent, agentName, authorName, body, createdAt }) => ({
      name: isAgent ? agentName : authorName,
      body,
      at: createdAt,
    })),
    timeZone,
    answersAre: site.settings.agent_mail === 'reply' ? 'reply' : 'note',
  };
}

async function contentOf(
  material: DeliveryMaterial,
  settings: MailSettings,
  attachments: readonly MailAttachment[],
): Promise<MailContent> {
  const { baseUrl } = settings;
  const { delivery, ticket, message, answered, event, told } = material;
  // Rights were lowered since it was queued.
  if (told?.length === 0) throw gone('notification');
  const choicesUrl = `${baseUrl}${preferencesPath}`;
  const about = (): Pick<AgentMail, 'ticket' | 'more' | 'choicesUrl'> => ({
    ticket: glanceAt(material, settings),
    ...(told === null ? {} : { more: told.length - 1, choicesUrl }),
  });
  if (delivery.event === 'mail.channel_disabled') {
    const channel = material.subjectChannel;
    if (!channel) throw gone('channel');
    const slug = material.site?.slug ?? '';
    return {
      kind: 'channel_disabled',
      channelName: channel.name,
      reason: delivery.payload.reason ?? '',
      command: `helpdesk channel enable ${channel.id} --site ${slug}`,
      url: `${baseUrl}/api/v1/sites/${slug}/webhook-channels/${channel.id}`,
    };
  }
  if (delivery.event === 'mail.mailbox_alarm') {
    const { address, alarm, reason, command } = alarmOf(material);
    return { kind: 'mailbox_alarm', alarm, address, reason, command };
  }
  // Elsewhere than through its mailbox it would prove nothing.
  if (delivery.event === 'mail.canary' && !material.subjectMailbox?.outgoing) throw gone('mailbox');
  if (delivery.event === 'mail.canary') return { kind: 'canary', proof: delivery.payload.canary ?? '' };
  if (delivery.event === 'mail.invitation' || delivery.event === 'mail.password_reset') {
    if (material.linkSecret === null) throw gone('link');
    return delivery.event === 'mail.invitation'
      ? {
          kind: 'invitation',
          by: delivery.payload.by ?? null,
          url: linkUrl(baseUrl, 'invitation', material.linkSecret),
        }
      : { kind: 'password_reset', url: linkUrl(baseUrl, 'reset', material.linkSecret) };
  }
  if (delivery.event === 'mail.customer_code') {
    if (material.customerCode === null) throw gone('code');
    return { kind: 'customer_code', code: material.customerCode };
  }
  if (delivery.event === 'mail.forward')
    return { kind: 'forward', subject: delivery.payload.subject ?? '', attachments };
  if (delivery.event === 'mail.rule') {
    const { subject = '', body } = saidByRule(material);
    return { kind: 'rule', subject, body: String(body ?? '') };
  }
  if (delivery.event === 'mail.side_message') {
    if (!material.side) throw gone('side conversation');
    const { conversation, message } = material.side;
    const { agentName, body, quoted } = message;
    return { kind: 'side_message', subject: conversation.subject, agentName, body, quoted, attachments };
  }
  if (delivery.event === 'mail.report') throw gone('report');
  if (delivery.event === 'mail.digest') return { ...digestOf(material, baseUrl), choicesUrl };
  if (!ticket) throw gone('ticket');
  switch (delivery.event) {
    case 'mail.acknowledgement':
      return { kind: 'acknowledgement', isProven: material.author?.isVerified ?? false };
    case 'mail.form_receipt':
      return { kind: 'form_receipt', isProven: material.author?.isVerified ?? false };
    case 'mail.customer_link':
      if (material.customerLink === null) throw gone('link');
      return { kind: 'customer_link' };
    case 'mail.ticket_resolved':
      return { kind: 'ticket_resolved', isProven: material.author?.isVerified ?? false };
    case 'mail.satisfaction':
      // Answered meanwhile, or no longer asked.
      if (material.customerLink?.rating == null) throw gone('question');
      return { kind: 'satisfaction', isProven: material.author?.isVerified ?? false };
    case 'mail.agent_reply':
    case 'mail.reply_copy':
      if (!message) throw gone('message');
      return {
        kind: 'agent_reply',
        isAutomated: message.isAutomated,
        isProven: !message.isAutomated || ticket.lastAgentMessageAt !== null || (material.author?.isVerified ?? false),
        agentName: message.agentName,
        ...(await wordsOf(message)),
        attachments,
        // No person has read what a rule answers.
        answered:
          answered === null || message.isAutomated
            ? null
            : { authorName: quotedName(material), body: answered.body, at: answered.createdAt },
      };
    case 'mail.assigned':
      if (material.assigned.length > 1) return assignedTogether(material, baseUrl);
      return { kind: 'assigned', by: event?.actor.name ?? null, ...about() };
    case 'mail.team_assigned':
      return { kind: 'team_assigned', by: event?.actor.name ?? null, ...about() };
    case 'mail.team_waiting':
      return { kind: 'team_waiting', ...about() };
    case 'mail.mentioned':
      return { kind: 'mentioned', by: event?.actor.name ?? null, body: message?.body ?? '', ...about() };
    case 'mail.customer_replied':
      return {
        kind: 'customer_replied',
        authorName: message?.authorName ?? null,
        ...about(),
      };
    case 'mail.sla_warning':
      return { kind: 'sla_warning', deadline: deadlineOf(material), ...about() };
    case 'mail.sla_breached':
      return { kind: 'sla_breached', deadline: deadlineOf(material), ...about() };
    case 'mail.side_answered': {
      const { side } = material;
      if (!side) throw gone('side conversation');
      const { senderName, senderEmail, body } = side.message;
      return {
        kind: 'side_answered',
        from: senderName ? `${senderName} (${senderEmail})` : (senderEmail ?? ''),
        body,
        ...about(),
      };
    }
    case 'mail.answer_noted': {
      const { problem = 'not_proven', line = '' } = delivery.payload.answer ?? {};
      return { kind: 'answer_noted', problem, line, ...about() };
    }
    default:
      throw new Error(`${delivery.event} is not a mail`);
  }
}

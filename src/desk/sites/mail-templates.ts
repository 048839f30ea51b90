// What a site says in the desk's own mails to customers (docs/spec/templates.md).

import { DeskError, invalid, invalidFields, notFound } from '../../domain/errors.ts';
import type { MailTemplateInput, TemplatePreviewInput } from '../../domain/input/mail-templates.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import { type MailTemplate, type TemplateName, templateErrors, templateNames } from '../../domain/mail/template.ts';
import { type Locale, locales } from '../../domain/people/preferences.ts';
import { referenceOf } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import { isSuppressed } from '../../store/mail/suppressions.ts';
import { agentById } from '../../store/people/agents.ts';
import {
  deleteMailTemplate,
  insertMailTemplate,
  type MailTemplateRow,
  mailTemplate,
  templatesOfSite,
} from '../../store/sites/mail-templates.ts';
import type { Site } from '../../store/sites/sites.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import { authorise, findSite, findTicket } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { routeOf } from '../outbox/mail-route.ts';
import { mailsOwn } from '../outbox/own-server.ts';
import { queueMail } from '../outbox/queue-mail.ts';
import { isAgentOfSite } from '../people/agents.ts';
import { record } from '../record.ts';

/** One that a site has or could have. */
export interface TemplateSlot {
  site: Site;
  name: TemplateName;
  locale: Locale;
  /** Null: the desk's own words. */
  row: MailTemplateRow | null;
}

export interface SlotName {
  name: string;
  locale: string;
}

export function listMailTemplates(tx: Tx, ctx: Context, siteName: string): TemplateSlot[] {
  authorise(ctx, 'read');
  const site = findSite(tx, ctx, siteName);
  const rows = templatesOfSite(tx, site.id);
  return templateNames.flatMap((name) =>
    locales.map((locale) => ({
      site,
      name,
      locale,
      row: rows.find((row) => row.name === name && row.locale === locale) ?? null,
    })),
  );
}

function findSlot(tx: Tx, ctx: Context, siteName: string, slot: SlotName): TemplateSlot {
  const site = findSite(tx, ctx, siteName);
  const name = templateNames.find((one) => one === slot.name);
  const locale = locales.find((one) => one === slot.locale);
  if (name === undefined || locale === undefined) throw notFound('mail template');
  return { site, name, locale, row: mailTemplate(tx, site.id, name, locale) ?? null };
}

function templateOf({ subject, body }: MailTemplateInput): MailTemplate {
  return { subject: subject || null, body };
}

function requireSound(name: TemplateName, template: MailTemplate): void {
  const errors = templateErrors(name, template);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

export function putMailTemplate(
  tx: Tx,
  ctx: Context,
  siteName: string,
  named: SlotName,
  input: MailTemplateInput,
): TemplateSlot {
  authorise(ctx, 'manage');
  const slot = findSlot(tx, ctx, siteName, named);
  const { site, name, locale, row: before } = slot;
  const template = templateOf(input);
  requireSound(name, template);
  const columns = { siteId: site.id, name, locale, ...template, updatedAt: ctx.now };
  if (before !== null) deleteMailTemplate(tx, before.id);
  const row = { ...columns, id: insertMailTemplate(tx, columns) };
  tell(tx, ctx, slot, before, row);
  return { ...slot, row };
}

/** The desk's own words again. */
export function resetMailTemplate(tx: Tx, ctx: Context, siteName: string, named: SlotName): void {
  authorise(ctx, 'manage');
  const slot = findSlot(tx, ctx, siteName, named);
  if (slot.row === null) throw notFound('mail template');
  deleteMailTemplate(tx, slot.row.id);
  tell(tx, ctx, slot, slot.row, null);
}

function tell(
  tx: Tx,
  ctx: Context,
  { site, name, locale }: TemplateSlot,
  before: MailTemplateRow | null,
  after: MailTemplateRow | null,
): void {
  const change = after === null ? 'deleted' : before === null ? 'created' : 'updated';
  const target = { type: 'mail_template', id: after?.id ?? before?.id ?? null, name: `${name} ${locale}` } as const;
  audit(tx, ctx, { action: `mail_template.${change}`, target, siteId: site.id, before, after });
  record(tx, ctx, {
    kind: 'site.updated',
    siteId: site.id,
    ticketId: null,
    data: { site_ulid: site.ulid, mail_template: name, locale, change },
  });
}

interface TemplateToShow extends TemplateSlot {
  /** Null: the desk's own words. */
  template: MailTemplate | null;
  /** Whose data it shows; null for an example's. */
  ticket: { ulid: string; reference: string; subject: string } | null;
}

const shownTicket = ({ ulid, id, subject }: Ticket) => ({ ulid, reference: referenceOf(id), subject });

export function templateToShow(
  tx: Tx,
  ctx: Context,
  siteName: string,
  named: SlotName,
  { subject, body, ticket: wanted }: TemplatePreviewInput,
): TemplateToShow {
  authorise(ctx, 'manage');
  const slot = findSlot(tx, ctx, siteName, named);
  const ticket = wanted == null ? null : findTicket(tx, ctx, wanted);
  if (ticket !== null && ticket.siteId !== slot.site.id)
    throw invalid('ticket', 'does not name a ticket of this site.');
  const template = body == null ? slot.row : templateOf({ subject, body });
  if (template !== null) requireSound(slot.name, template);
  return { ...slot, template, ticket: ticket && shownTicket(ticket) };
}

/** Mails an example to an agent of the site; returns their address. */
export function testMailTemplate(
  tx: Tx,
  ctx: Context,
  siteName: string,
  named: SlotName,
  agentId: number | null,
): { recipient: string; hasServer: boolean } {
  authorise(ctx, 'manage');
  const { site, name, locale } = findSlot(tx, ctx, siteName, named);
  const id = agentId ?? (ctx.actor.kind === 'agent' ? ctx.actor.agentId : null);
  if (id === null) throw invalid('agent_id', 'is required, because a program asks.');
  const agent = agentById(tx, id);
  const isOwn = ctx.actor.kind === 'agent' && ctx.actor.agentId === id;
  if (!agent || !(isOwn || isAgentOfSite(tx, site.id, id)))
    throw invalid('agent_id', 'does not name an agent of this site.');
  if (isSuppressed(tx, site.id, normaliseEmail(agent.email)))
    throw new DeskError('conflict', `Mail to ${agent.email} came back earlier, so the desk sends none there.`, {
      reason: 'address_bounces',
    });
  queueMail(tx, ctx, site.id, null, null, 'mail.template_test', agent, { template: name, locale });
  const { through } = routeOf(tx, ctx, site, 'mail.template_test', null, null);
  return { recipient: agent.email, hasServer: through !== null || mailsOwn(tx, ctx) };
}

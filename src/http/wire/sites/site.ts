// Sites on the wire.

import * as z from 'zod';
import { weeklyHours } from '../../../domain/input/sites.ts';
import { locales } from '../../../domain/people/preferences.ts';
import {
  agentMailModes,
  attachmentScanModes,
  customerLinkModes,
  firstSteps,
  logoPath,
  portalModes,
} from '../../../domain/sites/site.ts';
import { refusedTypes } from '../../../domain/tickets/files.ts';
import { ticketStatuses } from '../../../domain/tickets/ticket.ts';
import type { Site } from '../../../store/sites/sites.ts';
import { presenter } from '../presenter.ts';
import { description, id, named, time, ulid } from '../shapes.ts';

const slaPolicyShape = named(
  'SlaPolicy',
  z.object({
    business_hours: z.object({ timezone: z.string(), weekly: weeklyHours }).nullable(),
    holidays: z.array(z.string()),
    holiday_names: z.record(z.string(), z.string()).meta({ description: 'By date' }),
    pause_while_pending: z.boolean(),
    warn_at_percent: z.number(),
  }),
);

export const brandShape = named(
  'SiteBrand',
  z.object({
    name: z.string().nullable(),
    color: z.string().nullable(),
    logo: z.string().nullable().meta({ description: 'Its path on this desk.' }),
  }),
);

export const siteShape = named(
  'Site',
  z.object({
    id: id(),
    ulid: ulid(),
    name: z.string(),
    slug: z.string(),
    description: description(),
    default_priority_id: id().nullable(),
    inbound_address: z.string(),
    inbound_webhook_url: z.string().optional(),
    sla_policy: slaPolicyShape,
    settings: z.object({
      auto_close_days: z.int().nullable(),
      status_after_agent_reply: z.enum(ticketStatuses).nullable(),
      acknowledge: z.boolean(),
      notify_resolved: z.boolean(),
      ask_satisfaction: z.boolean(),
      mail_from_name: z.string().nullable(),
      mail_from_address: z.string().nullable(),
      ses_topic_arns: z.array(z.string()),
      trusted_mail_servers: z.array(z.string()),
      trusted_arc_sealers: z.array(z.string()),
      blocked_senders: z.array(z.string()),
      allowed_senders: z.array(z.string()),
      spam_hold_score: z.number().nullable(),
      spam_mark_score: z.number().nullable(),
      signature: z.string().nullable(),
      attachment_types: z.array(z.string()),
      refused_attachment_types: z.array(z.string()),
      attachment_max_mb: z.int(),
      mail_attachment_max_mb: z.int(),
      attachments_total_mb: z.int().nullable(),
      attachment_scan: z.enum(attachmentScanModes),
      portal: z.enum(portalModes),
      customer_links: z.enum(customerLinkModes),
      agent_mail: z.enum(agentMailModes),
      brand: brandShape,
      skipped_steps: z.array(z.enum(firstSteps)).meta({ description: 'Of the first steps in the console.' }),
      locale: z.enum(locales).nullable(),
    }),
    created_at: time(),
    updated_at: time(),
  }),
);

interface Addresses {
  baseUrl: string;
  inboundDomain: string;
}

export const presentSite = presenter(
  siteShape,
  (site: Site, { baseUrl, inboundDomain }: Addresses, inboundSecret: string | null) => ({
    description: site.description || null,
    inbound_address: `${site.slug}@${inboundDomain}`,
    ...(inboundSecret === null ? {} : { inbound_webhook_url: inboundWebhookUrl(baseUrl, inboundSecret) }),
    sla_policy: { ...site.slaPolicy, holiday_names: site.slaPolicy.holiday_names ?? {} },
    settings: {
      ...site.settings,
      refused_attachment_types: [...refusedTypes(site.settings)],
      brand: presentBrand(site),
    },
  }),
);

export function presentBrand({ slug, settings: { brand } }: Site) {
  return { ...brand, logo: brand.logo === null ? null : logoPath(slug, brand.logo) };
}

/** For a provider that sends raw mail; the URLs of other providers have their name in place of `raw`. */
export function inboundWebhookUrl(baseUrl: string, secret: string): string {
  return `${baseUrl}/api/webhooks/raw/inbound/${secret}`;
}

export const plannedChangeShape = named(
  'PlannedChange',
  z.object({
    change: z.enum(['added', 'changed']),
    section: z.string(),
    name: z.string().nullable().meta({ description: 'Of the entry in a list.' }),
    field: z.string().nullable().meta({ description: 'Null for a whole entry.' }),
    from: z.unknown(),
    to: z.unknown(),
  }),
);

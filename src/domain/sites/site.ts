// A site's settings, and what a new site starts with (docs/spec/api.md#sites).

import type { Locale } from '../people/preferences.ts';
import type { Weekday } from '../sla/calendar.ts';
import type { TicketStatus } from '../tickets/ticket.ts';

/** What a site offers at its own address: nothing, a form, or also the customer's tickets (docs/spec/customer.md). */
export const portalModes = ['off', 'form', 'form_and_tickets'] as const;
export type PortalMode = (typeof portalModes)[number];

/** What the link in a customer's mail allows: reading and, after a code, writing; writing at once; nothing. */
export const customerLinkModes = ['confirm', 'open', 'off'] as const;
export type CustomerLinkMode = (typeof customerLinkModes)[number];

/** What an agent's answer by mail becomes, unless its first line says otherwise. */
export const agentMailModes = ['note', 'reply', 'off'] as const;
type AgentMailMode = (typeof agentMailModes)[number];

/** What happens to files while the virus scanner is down, or cannot judge them. */
export const attachmentScanModes = ['wait', 'deliver_with_mark'] as const;
export type AttachmentScanMode = (typeof attachmentScanModes)[number];

export interface SiteBrand {
  name: string | null;
  color: string | null;
  /** The version of the logo, whose bytes are in a table of their own. */
  logo: string | null;
}

/** Stored and shown under the wire's keys. PATCH merges at the first level. */
export interface SiteSettings {
  auto_close_days: number | null;
  status_after_agent_reply: TicketStatus | null;
  acknowledge: boolean;
  notify_resolved: boolean;
  /** Whether customers of resolved tickets are asked how the help was. */
  ask_satisfaction: boolean;
  mail_from_name: string | null;
  mail_from_address: string | null;
  ses_topic_arns: string[];
  /** Mail servers (authserv-id, RFC 8601) whose Authentication-Results are trusted in raw mail. */
  trusted_mail_servers: string[];
  /** Domains that seal with ARC (RFC 8617): their word excuses a signature that a list has broken. */
  trusted_arc_sealers: string[];
  /** Addresses, and domains as `@example.org`, whose mail is never filed. */
  blocked_senders: string[];
  /** Those whose mail is not taken for spam. A forged one is held all the same. */
  allowed_senders: string[];
  /** From which score of the spam filter on mail is held, and a new ticket is marked as spam; null: never. */
  spam_hold_score: number | null;
  spam_mark_score: number | null;
  /** Under the replies of its agents, in Markdown with variables; null: each agent's own. */
  signature: string | null;
  /** What customers can send besides `customerTypes`. */
  attachment_types: string[];
  /** Null for `defaultRefusedTypes`. */
  refused_attachment_types: string[] | null;
  attachment_max_mb: number;
  mail_attachment_max_mb: number;
  /** Of all files of the site; null for no limit. */
  attachments_total_mb: number | null;
  attachment_scan: AttachmentScanMode;
  portal: PortalMode;
  customer_links: CustomerLinkMode;
  agent_mail: AgentMailMode;
  brand: SiteBrand;
  skipped_steps: FirstStep[];
  /** The language of the site's pages and mail; null for the browser's own. */
  locale: Locale | null;
}

/** What leads an owner from a new site to its first ticket, in this order. */
export const firstSteps = ['site', 'address', 'test', 'team', 'connect'] as const;
export type FirstStep = (typeof firstSteps)[number];

/** What customers know the site by. */
export function publicName({ name, settings }: { name: string; settings: SiteSettings }): string {
  return settings.brand.name ?? name;
}

/** Of its mail to customers. */
export const localeOf = ({ settings }: { settings: SiteSettings }): Locale => settings.locale ?? 'en';

export interface SiteSlaPolicy {
  business_hours: { timezone: string; weekly: Partial<Record<Weekday, [string, string][]>> } | null;
  holidays: string[];
  /** What holidays are called, by date. A policy from before there were names has none. */
  holiday_names?: Record<string, string>;
  pause_while_pending: boolean;
  warn_at_percent: number;
}

export const defaultSlaPolicy: SiteSlaPolicy = {
  business_hours: null,
  holidays: [],
  pause_while_pending: true,
  warn_at_percent: 80,
};

export const defaultSettings: SiteSettings = {
  auto_close_days: null,
  status_after_agent_reply: null,
  acknowledge: true,
  notify_resolved: false,
  ask_satisfaction: false,
  mail_from_name: null,
  mail_from_address: null,
  ses_topic_arns: [],
  trusted_mail_servers: [],
  trusted_arc_sealers: [],
  blocked_senders: [],
  allowed_senders: [],
  spam_hold_score: 6,
  spam_mark_score: 15,
  signature: null,
  attachment_types: [],
  refused_attachment_types: null,
  attachment_max_mb: 10,
  mail_attachment_max_mb: 25,
  attachments_total_mb: null,
  attachment_scan: 'wait',
  portal: 'off',
  customer_links: 'confirm',
  agent_mail: 'note',
  brand: { name: null, color: null, logo: null },
  skipped_steps: [],
  locale: null,
};

interface StarterPriority {
  name: string;
  slug: string;
  color: string;
  level: number;
  firstResponseMinutes: number;
  resolutionMinutes: number;
}

export const starterPriorities: readonly StarterPriority[] = [
  { name: 'Low', slug: 'low', color: '#64748b', level: 1, firstResponseMinutes: 1440, resolutionMinutes: 7200 },
  { name: 'Normal', slug: 'normal', color: '#2563eb', level: 2, firstResponseMinutes: 480, resolutionMinutes: 2880 },
  { name: 'High', slug: 'high', color: '#d97706', level: 3, firstResponseMinutes: 240, resolutionMinutes: 1440 },
  { name: 'Urgent', slug: 'urgent', color: '#dc2626', level: 4, firstResponseMinutes: 60, resolutionMinutes: 480 },
];

export const starterCategory = { name: 'General', slug: 'general', color: '#64748b' } as const;

/** Where a site's own pages are. */
export const portalPath = (slug: string) => `/s/${slug}`;

export const logoPath = (slug: string, version: string) => `${portalPath(slug)}/logo?v=${version}`;

// A site's settings, and what a new site starts with (docs/spec/api.md#sites).

import type { Weekday } from './calendar.ts';
import type { Locale } from './preferences.ts';
import type { TicketStatus } from './ticket.ts';

/** What a site offers at its own address: nothing, a form, or also the customer's tickets (docs/spec/customer.md). */
export const portalModes = ['off', 'form', 'form_and_tickets'] as const;
export type PortalMode = (typeof portalModes)[number];

/** What the link in a customer's mail allows: reading and, after a code, writing; writing at once; nothing. */
export const customerLinkModes = ['confirm', 'open', 'off'] as const;
export type CustomerLinkMode = (typeof customerLinkModes)[number];

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
  mail_from_name: string | null;
  mail_from_address: string | null;
  ses_topic_arns: string[];
  /** Mail servers (authserv-id, RFC 8601) whose Authentication-Results are trusted in raw mail. */
  trusted_mail_servers: string[];
  portal: PortalMode;
  customer_links: CustomerLinkMode;
  brand: SiteBrand;
  /** The language of the site's pages and mail; null for the browser's own. */
  locale: Locale | null;
}

/** What customers know the site by. */
export function publicName({ name, settings }: { name: string; settings: SiteSettings }): string {
  return settings.brand.name ?? name;
}

export interface SiteSlaPolicy {
  business_hours: { timezone: string; weekly: Partial<Record<Weekday, [string, string][]>> } | null;
  holidays: string[];
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
  mail_from_name: null,
  mail_from_address: null,
  ses_topic_arns: [],
  trusted_mail_servers: [],
  portal: 'off',
  customer_links: 'confirm',
  brand: { name: null, color: null, logo: null },
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

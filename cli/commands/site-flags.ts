// The flags of helpdesk site create and update, as the API's input.

import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { weekdays } from '../../src/domain/calendar.ts';
import { logoTypeOf, logoUrl, maxLogoBytes } from '../../src/domain/logo.ts';
import { locales } from '../../src/domain/preferences.ts';
import { customerLinkModes, portalModes } from '../../src/domain/site.ts';
import { ticketStatuses } from '../../src/domain/ticket.ts';
import type { Site } from '../../src/store/sites.ts';
import type { CommonOptions } from '../command.ts';
import { UsageError } from '../errors.ts';
import { given, list, orList, wholeNumber, yesOrNo } from '../flags.ts';

export interface SiteFlags extends CommonOptions {
  name?: string;
  slug?: string;
  description?: string;
  timezone?: string;
  businessHours?: string;
  holidays?: string;
  defaultPriority?: string;
  autoCloseDays?: string;
  acknowledge?: string;
  notifyResolved?: string;
  statusAfterAgentReply?: string;
  mailFromName?: string;
  mailFromAddress?: string;
  sesTopicArns?: string;
  trustedMailServers?: string;
  portal?: string;
  customerLinks?: string;
  brandName?: string;
  brandColor?: string;
  brandLogo?: string;
  locale?: string;
}

export function addSiteFlags(command: Command): Command {
  return command
    .option('--slug <slug>', 'short name for addresses (default: made from the name)')
    .option('--description <text>', 'what the site is')
    .option('--timezone <zone>', 'IANA time zone; without --business-hours, working hours become mon-fri 09:00-17:00')
    .option('--business-hours <hours>', '"mon-fri 09:00-12:30,13:00-17:00; sat 10:00-14:00", or "always"')
    .option('--holidays <dates>', 'days without working hours, such as 2026-12-25,2026-12-26')
    .option('--auto-close-days <days>', 'close tickets that have been resolved for this many days, or "never"')
    .option(
      '--status-after-agent-reply <status>',
      `status of a ticket after an agent replies: ${orList([...ticketStatuses, 'unchanged'])}`,
    )
    .option('--acknowledge <yes|no>', 'confirm new tickets to their authors by mail')
    .option('--notify-resolved <yes|no>', 'tell authors by mail when their ticket is resolved')
    .option('--mail-from-name <name>', "sender's name of the site's mail")
    .option('--mail-from-address <address>', "sender's address of the site's mail")
    .option('--ses-topic-arns <arns>', 'SNS topics that may deliver mail from SES, comma-separated')
    .option(
      '--trusted-mail-servers <names>',
      'servers whose Authentication-Results are trusted for raw mail, comma-separated',
    )
    .option('--portal <what>', `what customers find at /s/<slug>: ${orList(portalModes)}`)
    .option('--customer-links <what>', `what links in customers' mail allow: ${orList(customerLinkModes)}`)
    .option('--brand-name <name>', 'name on customers\' pages, or "none" for the site\'s own')
    .option('--brand-color <color>', 'colour of customers\' pages such as #2563eb, or "none"')
    .option('--brand-logo <file>', 'PNG, JPEG, WebP or GIF image of at most 100 KB, or "none"')
    .option('--locale <language>', `language of customers' pages and mail: ${orList([...locales, 'none'])}`);
}

/** What create and update have in common. */
export function siteInputOf(flags: SiteFlags, current: Site | null): Record<string, unknown> {
  return given({
    name: flags.name,
    slug: flags.slug,
    description: flags.description,
    sla_policy: policyOf(flags, current),
    settings: settingsOf(flags),
  });
}

const officeHours = Object.fromEntries(weekdays.slice(0, 5).map((day) => [day, [['09:00', '17:00']]]));

function policyOf({ timezone, businessHours, holidays }: SiteFlags, current: Site | null) {
  if (timezone === undefined && businessHours === undefined && holidays === undefined) return undefined;
  const known = current?.slaPolicy.business_hours ?? null;
  const zone = timezone ?? known?.timezone ?? 'UTC';
  const hours =
    businessHours !== undefined
      ? parseBusinessHours(businessHours, zone)
      : timezone !== undefined
        ? { timezone: zone, weekly: known?.weekly ?? officeHours }
        : undefined;
  return given({ business_hours: hours, holidays: list(holidays) });
}

/** `mon-fri 09:00-17:00; sat 10:00-14:00` or `always`. */
function parseBusinessHours(text: string, timezone: string) {
  if (text === 'always') return null;
  const names: readonly string[] = weekdays;
  const weekly: Record<string, [string, string][]> = {};
  const parts = text.split(';').map((one) => one.trim());
  for (const part of parts.filter((one) => one !== '')) {
    const match = /^([a-z]{3})(?:-([a-z]{3}))?\s+(.+)$/i.exec(part);
    const from = names.indexOf(match?.[1]?.toLowerCase() ?? '');
    const to = match?.[2] === undefined ? from : names.indexOf(match[2].toLowerCase());
    if (!match || from < 0 || to < from)
      throw new UsageError(
        `--business-hours must be like "mon-fri 09:00-12:30,13:00-17:00; sat 10:00-14:00", or "always", not "${part}".`,
      );
    const intervals = (match[3] ?? '').split(',').map((interval): [string, string] => {
      const [start = '', end = ''] = interval.trim().split('-');
      return [start.trim(), end.trim()];
    });
    for (const day of names.slice(from, to + 1)) weekly[day] = [...(weekly[day] ?? []), ...intervals];
  }
  return { timezone, weekly };
}

/** A value, or the word for null. */
function orNull<Value>(text: string | undefined, nullWord: string, parse: (text: string) => Value) {
  if (text === undefined) return undefined;
  return text === nullWord ? null : parse(text);
}

const optionalYesOrNo = (text: string | undefined, name: string) =>
  text === undefined ? undefined : yesOrNo(text, name);

function settingsOf(flags: SiteFlags): Record<string, unknown> | undefined {
  const settings = given({
    auto_close_days: orNull(flags.autoCloseDays, 'never', (text) => wholeNumber(text, '--auto-close-days')),
    status_after_agent_reply: orNull(flags.statusAfterAgentReply, 'unchanged', (text) => text),
    acknowledge: optionalYesOrNo(flags.acknowledge, '--acknowledge'),
    notify_resolved: optionalYesOrNo(flags.notifyResolved, '--notify-resolved'),
    mail_from_name: flags.mailFromName,
    mail_from_address: flags.mailFromAddress,
    ses_topic_arns: list(flags.sesTopicArns),
    trusted_mail_servers: list(flags.trustedMailServers),
    portal: flags.portal,
    customer_links: flags.customerLinks,
    brand: brandOf(flags),
    locale: orNull(flags.locale, 'none', (text) => text),
  });
  return Object.keys(settings).length > 0 ? settings : undefined;
}

function brandOf({ brandName, brandColor, brandLogo }: SiteFlags): Record<string, unknown> | undefined {
  const brand = given({
    name: orNull(brandName, 'none', (text) => text),
    color: orNull(brandColor, 'none', (text) => text),
    logo: orNull(brandLogo, 'none', logoOf),
  });
  return Object.keys(brand).length > 0 ? brand : undefined;
}

function logoOf(path: string): string {
  if (statSync(path).size > maxLogoBytes)
    throw new UsageError(`--brand-logo: ${path} has more than ${maxLogoBytes / 1024} KB.`);
  const bytes = readFileSync(path);
  const contentType = logoTypeOf(bytes);
  if (contentType === null) throw new UsageError(`--brand-logo: ${path} is not a PNG, JPEG, WebP or GIF image.`);
  return logoUrl({ contentType, bytes });
}

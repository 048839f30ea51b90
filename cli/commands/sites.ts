// helpdesk site: sites, their settings and their secrets.

import { readFileSync, statSync } from 'node:fs';
import { logoTypeOf, logoUrl, maxLogoBytes } from '../../src/domain/sites/logo.ts';
import { weekdays } from '../../src/domain/sla/calendar.ts';
import type { presentSite } from '../../src/http/wire/sites/site.ts';
import { UsageError } from '../errors.ts';
import { type OperationCommand, operationGroup, type Use } from '../operation-command.ts';
import { createProgress } from '../output/progress.ts';
import { fields } from '../output/text.ts';
import { addSettingsFile } from './site-settings.ts';

type Site = ReturnType<typeof presentSite>;
interface Answer {
  data: Site;
  site_token: string;
  inbound_webhook_url: string;
}

const hours: Pick<OperationCommand, 'own' | 'meanings' | 'without'> = {
  without: ['brand.logo', 'business_hours', 'holiday_names'],
  meanings: { name: 'name of the site', description: 'what the site is' },
  own: (command) =>
    command
      .option('--timezone <zone>', 'IANA time zone; without --business-hours, working hours become mon-fri 09:00-17:00')
      .option('--business-hours <hours>', '"mon-fri 09:00-12:30,13:00-17:00; sat 10:00-14:00", or "always"')
      .option('--brand-logo <file>', 'PNG, JPEG, WebP or GIF image of at most 100 KB, or "none"'),
};

export const siteCommands = operationGroup(
  'site',
  'sites',
  'helpdesk site create --name "Web shop"',
  [
    {
      ...hours,
      usage: 'create',
      does: 'create a site and print its token, which is shown only once',
      example: 'helpdesk site create --name "Web shop" --timezone Europe/Amsterdam',
      operation: 'sites/createSite',
      mayCreate: true,
      body: ({ flags }) => ({
        'sla_policy.business_hours': hoursOf(flags, null),
        'settings.brand.logo': logoOf(flags),
      }),
      print: ({ data, site_token: token }: Answer) =>
        [
          `Site ${data.slug} (id ${data.id}) was created. Its token, shown only once:`,
          token,
          'Address for the webhook of your mail provider:',
          data.inbound_webhook_url,
        ].join('\n'),
    },
    {
      usage: 'list',
      does: 'list sites',
      example: 'helpdesk site list',
      operation: 'sites/listSites',
      columns: ['id', 'slug', 'name', 'ulid'],
    },
    {
      usage: 'show <site>',
      does: 'show a site and its settings',
      example: 'helpdesk site show web-shop',
      operation: 'sites/readSite',
      print: describe,
    },
    {
      ...hours,
      usage: 'update <site>',
      does: 'change a site',
      example: 'helpdesk site update web-shop --auto-close-days 14',
      operation: 'sites/updateSite',
      reads: 'sites/readSite',
      body: ({ flags, row }) => ({
        'sla_policy.business_hours': hoursOf(flags, row as unknown as Site),
        'settings.brand.logo': logoOf(flags),
      }),
      print: describe,
    },
    {
      usage: 'rm <site>',
      does: 'remove a site with all its tickets and files',
      example: 'helpdesk site rm web-shop --yes',
      operation: 'sites/deleteSite',
      without: ['confirm'],
      reads: 'sites/readSite',
      question: ({ row }) => `Remove site ${row.slug} with all its tickets and files?`,
      query: ({ row }) => ({ confirm: row.slug }),
      after: removeAll,
      print: (_answer, { row }) => `Site ${row.slug} was removed.`,
    },
    {
      usage: 'rotate-token <site>',
      does: 'replace the site token and print the new one, which is shown only once',
      example: 'helpdesk site rotate-token web-shop --grace 60',
      operation: 'sites/rotateSiteToken',
      print: ({ data, site_token: token }: Answer) => `The new token of ${data.slug}, shown only once:\n${token}`,
    },
    {
      usage: 'rotate-inbound <site>',
      does: 'replace the secret address that mail providers post to',
      example: 'helpdesk site rotate-inbound web-shop',
      operation: 'sites/rotateInboundSecret',
      print: ({ data, inbound_webhook_url: url }: Answer) =>
        `The new address for the mail provider of ${data.slug}:\n${url}`,
    },
  ],
  addSettingsFile,
);

function describe({ data }: Answer): string {
  const policy = data.sla_policy.business_hours;
  const { brand, ...settings } = data.settings;
  const words = (values: object, before = '') =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [before + name.replaceAll('_', ' '), value]));
  return fields({
    id: data.id,
    ulid: data.ulid,
    name: data.name,
    slug: data.slug,
    description: data.description,
    'business hours': policy ? `${policy.timezone}, ${Object.keys(policy.weekly).join(' ')}` : 'around the clock',
    'inbound address': data.inbound_address,
    'inbound webhook': data.inbound_webhook_url,
    ...words(settings),
    ...words(brand, 'brand '),
    created: data.created_at,
  });
}

/** Does the rest of a removal at once: no desk may be running that would do it in the background. */
async function removeAll({ opened }: Use): Promise<void> {
  const { silentLog } = await import('../../src/base/log.ts');
  const { removeRest } = await import('../../src/jobs/removals.ts');
  const { desk, blobs, mailBlobs } = opened.data;
  const progress = createProgress('Removing');
  await removeRest({
    desk,
    blobs,
    mailBlobs,
    log: silentLog,
    onStep: ({ tickets, left }) => progress.show(tickets === 0 ? null : 1 - left / tickets),
  }).finally(progress.end);
}

const officeHours = Object.fromEntries(weekdays.slice(0, 5).map((day) => [day, [['09:00', '17:00']]]));

function hoursOf({ timezone, businessHours }: Use['flags'], current: Site | null) {
  const known = current?.sla_policy.business_hours ?? null;
  const zone = timezone ?? known?.timezone ?? 'UTC';
  if (businessHours !== undefined) return parseBusinessHours(businessHours, zone);
  return timezone === undefined ? undefined : { timezone: zone, weekly: known?.weekly ?? officeHours };
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

function logoOf({ brandLogo: path }: Use['flags']): string | null | undefined {
  if (path === undefined) return undefined;
  if (path === 'none') return null;
  if (statSync(path).size > maxLogoBytes)
    throw new UsageError(`--brand-logo: ${path} has more than ${maxLogoBytes / 1024} KB.`);
  const bytes = readFileSync(path);
  const contentType = logoTypeOf(bytes);
  if (contentType === null) throw new UsageError(`--brand-logo: ${path} is not a PNG, JPEG, WebP or GIF image.`);
  return logoUrl({ contentType, bytes });
}

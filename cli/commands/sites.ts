// helpdesk site …

import type { Command } from 'commander';
import { silentLog } from '../../src/base/log.ts';
import {
  changeSite,
  createSite,
  listVisibleSites,
  readSite,
  removeSite,
  rotateInboundSecret,
  rotateSiteToken,
} from '../../src/desk/sites.ts';
import { rotateInput, siteChangeInput, siteInput } from '../../src/domain/input/sites.ts';
import { inboundWebhookUrl, presentSite } from '../../src/http/wire/present.ts';
import { removeRest } from '../../src/jobs/removals.ts';
import type { Site } from '../../src/store/sites.ts';
import { addCommand, addGroup, given, list, show } from '../command.ts';
import {
  type CommonOptions,
  check,
  confirmed,
  type Opened,
  UsageError,
  wholeNumber,
  withDesk,
  yesOrNo,
} from '../opened-desk.ts';
import { createProgress } from '../output/progress.ts';
import { fields, table } from '../output/text.ts';

interface SiteFlags extends CommonOptions {
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
}

const present = (opened: Opened, site: Site) =>
  presentSite(site, opened, opened.data.desk.seal.open(site.inboundSecretSealed));

function describe(opened: Opened, site: Site): string {
  const shown = present(opened, site);
  const hours = shown.sla_policy.business_hours;
  return fields({
    id: shown.id,
    ulid: shown.ulid,
    name: shown.name,
    slug: shown.slug,
    description: shown.description,
    'business hours': hours ? `${hours.timezone}, ${Object.keys(hours.weekly).join(' ')}` : 'around the clock',
    'inbound address': shown.inbound_address,
    'inbound webhook': shown.inbound_webhook_url,
    ...Object.fromEntries(Object.entries(shown.settings).map(([name, value]) => [name.replaceAll('_', ' '), value])),
    created: shown.created_at,
  });
}

const weekdays = {
  mon: [['09:00', '17:00']],
  tue: [['09:00', '17:00']],
  wed: [['09:00', '17:00']],
  thu: [['09:00', '17:00']],
  fri: [['09:00', '17:00']],
};

/** `mon-fri 09:00-17:00; sat 10:00-14:00` or `always`. */
function parseBusinessHours(text: string, timezone: string) {
  if (text === 'always') return null;
  const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const weekly: Record<string, [string, string][]> = {};
  for (const part of text
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '')) {
    const match = /^([a-z]{3})(?:-([a-z]{3}))?\s+(.+)$/i.exec(part);
    const from = names.indexOf(match?.[1]?.toLowerCase() ?? '');
    const to = match?.[2] === undefined ? from : names.indexOf(match[2].toLowerCase());
    if (!match || from < 0 || to < from)
      throw new UsageError(
        `--business-hours takes "mon-fri 09:00-12:30,13:00-17:00; sat 10:00-14:00" or "always", not "${part}".`,
      );
    const intervals = (match[3] ?? '').split(',').map((interval) => {
      const [start = '', end = ''] = interval.trim().split('-');
      return [start.trim(), end.trim()] as [string, string];
    });
    for (const day of names.slice(from, to + 1)) weekly[day] = [...(weekly[day] ?? []), ...intervals];
  }
  return { timezone, weekly };
}

function policyOf(flags: SiteFlags, current: Site | null) {
  const known = current?.slaPolicy.business_hours ?? null;
  if (flags.timezone === undefined && flags.businessHours === undefined && flags.holidays === undefined)
    return undefined;
  const timezone = flags.timezone ?? known?.timezone ?? 'UTC';
  const hours =
    flags.businessHours !== undefined
      ? parseBusinessHours(flags.businessHours, timezone)
      : flags.timezone !== undefined
        ? { timezone, weekly: known?.weekly ?? weekdays }
        : undefined;
  return given({
    business_hours: hours,
    holidays: flags.holidays
      ?.split(',')
      .map((date) => date.trim())
      .filter((date) => date !== ''),
  });
}

function settingsOf(flags: SiteFlags) {
  const settings = given({
    auto_close_days:
      flags.autoCloseDays === undefined
        ? undefined
        : flags.autoCloseDays === 'never'
          ? null
          : wholeNumber(flags.autoCloseDays, '--auto-close-days'),
    status_after_agent_reply:
      flags.statusAfterAgentReply === undefined
        ? undefined
        : flags.statusAfterAgentReply === 'unchanged'
          ? null
          : flags.statusAfterAgentReply,
    acknowledge: flags.acknowledge === undefined ? undefined : yesOrNo(flags.acknowledge, '--acknowledge'),
    notify_resolved:
      flags.notifyResolved === undefined ? undefined : yesOrNo(flags.notifyResolved, '--notify-resolved'),
    mail_from_name: flags.mailFromName,
    mail_from_address: flags.mailFromAddress,
    ses_topic_arns: list(flags.sesTopicArns),
    trusted_mail_servers: list(flags.trustedMailServers),
  });
  return Object.keys(settings).length > 0 ? settings : undefined;
}

function addSettings(command: Command): Command {
  return command
    .option('--slug <slug>', 'its name in addresses; made of the name by default')
    .option('--description <text>')
    .option('--timezone <zone>', 'an IANA time zone: working time is then Monday to Friday, 09:00 to 17:00 there')
    .option('--business-hours <hours>', '"mon-fri 09:00-12:30,13:00-17:00; sat 10:00-14:00", or "always"')
    .option('--holidays <dates>', 'as 2026-12-25,2026-12-26')
    .option('--auto-close-days <days>', 'close what has been resolved for so long, or "never"')
    .option('--status-after-agent-reply <status>', 'open, pending, resolved, closed or unchanged')
    .option('--acknowledge <yes|no>', 'confirm new tickets to their authors by mail')
    .option('--notify-resolved <yes|no>', 'tell authors by mail when a ticket is resolved')
    .option('--mail-from-name <name>')
    .option('--mail-from-address <address>')
    .option('--ses-topic-arns <arns>', 'the SNS topics that mail by way of SES is taken from')
    .option('--trusted-mail-servers <names>', 'whose Authentication-Results prove the senders of raw mail');
}

export function siteCommands(program: Command): void {
  const group = addGroup(
    program,
    'site',
    'sites: create, list, show, update, rm, rotate-token, rotate-inbound',
    'helpdesk site create --name "Web shop"',
  );
  addSettings(
    addCommand(
      group,
      'create',
      'create a site; its token is shown this once',
      'helpdesk site create --name "Web shop" --timezone Europe/Amsterdam',
    ),
  )
    .requiredOption('--name <name>')
    .action((flags: SiteFlags) =>
      withDesk(
        flags,
        async (opened) => {
          const input = check(
            siteInput,
            given({
              name: flags.name,
              slug: flags.slug,
              description: flags.description,
              sla_policy: policyOf(flags, null),
              settings: settingsOf(flags),
            }),
          );
          const { site, siteToken, inboundSecret } = await opened.write((tx, ctx) => createSite(tx, ctx, input));
          show(flags, {
            json: { data: present(opened, site), site_token: siteToken },
            text: () =>
              `Site ${site.slug} (id ${site.id}) is there. Its token, shown this once:\n${siteToken}\nMail providers post to:\n${inboundWebhookUrl(opened.baseUrl, inboundSecret)}`,
          });
        },
        { mayCreate: true },
      ),
    );
  addCommand(group, 'list', 'list sites', 'helpdesk site list').action((flags: CommonOptions) =>
    withDesk(flags, (opened) => {
      const { rows } = opened.read((tx) => listVisibleSites(tx, opened.ctx(), 10_000, 0));
      show(flags, {
        json: { data: rows.map((site) => present(opened, site)) },
        text: () =>
          table(
            ['id', 'slug', 'name', 'ulid'],
            rows.map(({ id, slug, name, ulid }) => [id, slug, name, ulid]),
          ),
      });
    }),
  );
  addCommand(group, 'show <site>', 'show a site', 'helpdesk site show web-shop').action(
    (name: string, flags: CommonOptions) =>
      withDesk(flags, (opened) => {
        const site = opened.read((tx) => readSite(tx, opened.ctx(), name));
        show(flags, { json: { data: present(opened, site) }, text: () => describe(opened, site) });
      }),
  );
  addSettings(addCommand(group, 'update <site>', 'change a site', 'helpdesk site update web-shop --auto-close-days 14'))
    .option('--name <name>')
    .option('--default-priority <id>')
    .action((name: string, flags: SiteFlags) =>
      withDesk(flags, async (opened) => {
        const current = opened.read((tx) => readSite(tx, opened.ctx(), name));
        const input = check(
          siteChangeInput,
          given({
            name: flags.name,
            slug: flags.slug,
            description: flags.description,
            default_priority_id:
              flags.defaultPriority === undefined
                ? undefined
                : wholeNumber(flags.defaultPriority, '--default-priority'),
            sla_policy: policyOf(flags, current),
            settings: settingsOf(flags),
          }),
        );
        const site = await opened.write((tx, ctx) => changeSite(tx, ctx, name, input, null));
        show(flags, { json: { data: present(opened, site) }, text: () => describe(opened, site) });
      }),
    );
  addCommand(group, 'rm <site>', 'remove a site with its tickets and files', 'helpdesk site rm web-shop --yes')
    .option('--yes', 'do not ask')
    .action((name: string, flags: CommonOptions & { yes?: boolean }) =>
      withDesk(flags, async (opened) => {
        const site = opened.read((tx) => readSite(tx, opened.ctx(), name));
        confirmed(`Remove the site ${site.slug} with all its tickets and files?`, flags.yes);
        const files = await opened.write((tx, ctx) => removeSite(tx, ctx, String(site.id), site.slug, null));
        const { desk, blobs, mailBlobs } = opened.data;
        for (const ulid of files) await blobs.remove(ulid);
        const bar = createProgress('removing');
        try {
          await removeRest({
            desk,
            blobs,
            mailBlobs,
            log: silentLog,
            onStep: ({ tickets, left }) => bar.show(tickets === 0 ? null : 1 - left / tickets),
          });
        } finally {
          bar.end();
        }
        show(flags, { json: { data: null }, text: () => `Site ${site.slug} is gone.` });
      }),
    );
  addCommand(
    group,
    'rotate-token <site>',
    'a new site token, shown this once',
    'helpdesk site rotate-token web-shop --grace 60',
  )
    .option('--grace <minutes>', 'how long the old one stays valid', '0')
    .action((name: string, flags: CommonOptions & { grace: string }) =>
      withDesk(flags, async (opened) => {
        const grace = check(rotateInput, { grace_minutes: wholeNumber(flags.grace, '--grace') }).grace_minutes ?? null;
        const { site, siteToken } = await opened.write((tx, ctx) => rotateSiteToken(tx, ctx, name, grace));
        show(flags, {
          json: { data: present(opened, site), site_token: siteToken },
          text: () => `The new token of ${site.slug}, shown this once:\n${siteToken}`,
        });
      }),
    );
  addCommand(group, 'rotate-inbound <site>', 'a new secret for inbound mail', 'helpdesk site rotate-inbound web-shop')
    .option('--grace <minutes>', 'how long the old one stays valid', '0')
    .action((name: string, flags: CommonOptions & { grace: string }) =>
      withDesk(flags, async (opened) => {
        const grace = check(rotateInput, { grace_minutes: wholeNumber(flags.grace, '--grace') }).grace_minutes ?? null;
        const { site, inboundSecret } = await opened.write((tx, ctx) => rotateInboundSecret(tx, ctx, name, grace));
        const url = inboundWebhookUrl(opened.baseUrl, inboundSecret);
        show(flags, {
          json: { data: present(opened, site), inbound_secret: inboundSecret, inbound_webhook_url: url },
          text: () => `Mail providers of ${site.slug} post to:\n${url}`,
        });
      }),
    );
}

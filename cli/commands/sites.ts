// helpdesk site: sites, their settings and their secrets.

import type { Command } from 'commander';
import { silentLog } from '../../src/base/log.ts';
import { removeSite } from '../../src/desk/site-removal.ts';
import { rotateInboundSecret, rotateSiteToken } from '../../src/desk/site-secrets.ts';
import { changeSite, createSite, listVisibleSites, readSite } from '../../src/desk/sites.ts';
import { rotateInput, siteChangeInput, siteInput } from '../../src/domain/input/sites.ts';
import { inboundWebhookUrl, presentSite } from '../../src/http/wire/site.ts';
import { removeRest } from '../../src/jobs/removals.ts';
import type { Site } from '../../src/store/sites.ts';
import { addCommand, askBeforeRemoving, type CommonOptions, show } from '../command.ts';
import { check, confirmed, given, optionalNumber, wholeNumber } from '../flags.ts';
import { type Opened, withDesk } from '../opened-desk.ts';
import { createProgress } from '../output/progress.ts';
import { fields, table } from '../output/text.ts';
import { addSiteFlags, type SiteFlags, siteInputOf } from './site-flags.ts';

const maxListed = 10_000;

export function siteCommands(program: Command): void {
  const group = addCommand(
    program,
    'site',
    'sites: create, list, show, update, rm, rotate-token, rotate-inbound',
    'helpdesk site create --name "Web shop"',
  );
  addCreate(group);
  addList(group);
  addShow(group);
  addUpdate(group);
  addRemove(group);
  addRotateToken(group);
  addRotateInbound(group);
}

function present(opened: Opened, site: Site) {
  return presentSite(site, opened, opened.data.desk.seal.open(site.inboundSecretSealed));
}

function describe(opened: Opened, site: Site): string {
  const shown = present(opened, site);
  const hours = shown.sla_policy.business_hours;
  const { brand, ...settings } = shown.settings;
  const words = (values: object, before = '') =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [before + name.replaceAll('_', ' '), value]));
  return fields({
    id: shown.id,
    ulid: shown.ulid,
    name: shown.name,
    slug: shown.slug,
    description: shown.description,
    'business hours': hours ? `${hours.timezone}, ${Object.keys(hours.weekly).join(' ')}` : 'around the clock',
    'inbound address': shown.inbound_address,
    'inbound webhook': shown.inbound_webhook_url,
    ...words(settings),
    ...words(brand, 'brand '),
    created: shown.created_at,
  });
}

function showSite(flags: CommonOptions, opened: Opened, site: Site): void {
  show(flags, { json: { data: present(opened, site) }, text: () => describe(opened, site) });
}

function addCreate(group: Command): void {
  addSiteFlags(
    addCommand(
      group,
      'create',
      'create a site and print its token, which is shown only once',
      'helpdesk site create --name "Web shop" --timezone Europe/Amsterdam',
    ),
  )
    .requiredOption('--name <name>', 'name of the site')
    .action((flags: SiteFlags) =>
      withDesk(
        flags,
        async (opened) => {
          const input = check(siteInput, siteInputOf(flags, null));
          const { site, siteToken, inboundSecret } = await opened.write((tx, ctx) => createSite(tx, ctx, input));
          show(flags, {
            json: { data: present(opened, site), site_token: siteToken },
            text: () =>
              [
                `Site ${site.slug} (id ${site.id}) was created. Its token, shown only once:`,
                siteToken,
                'Address for the webhook of your mail provider:',
                inboundWebhookUrl(opened.baseUrl, inboundSecret),
              ].join('\n'),
          });
        },
        { mayCreate: true },
      ),
    );
}

function addList(group: Command): void {
  addCommand(group, 'list', 'list sites', 'helpdesk site list').action((flags: CommonOptions) =>
    withDesk(flags, (opened) => {
      const { rows } = opened.read((tx) => listVisibleSites(tx, opened.ctx(), maxListed, 0));
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
}

function addShow(group: Command): void {
  addCommand(group, 'show <site>', 'show a site and its settings', 'helpdesk site show web-shop').action(
    (name: string, flags: CommonOptions) =>
      withDesk(flags, (opened) =>
        showSite(
          flags,
          opened,
          opened.read((tx) => readSite(tx, opened.ctx(), name)),
        ),
      ),
  );
}

function addUpdate(group: Command): void {
  addSiteFlags(
    addCommand(group, 'update <site>', 'change a site', 'helpdesk site update web-shop --auto-close-days 14'),
  )
    .option('--name <name>', 'name of the site')
    .option('--default-priority <id>', 'priority of new tickets')
    .action((name: string, flags: SiteFlags) =>
      withDesk(flags, async (opened) => {
        const current = opened.read((tx) => readSite(tx, opened.ctx(), name));
        const defaultPriority = optionalNumber(flags.defaultPriority, '--default-priority');
        const change = given({ ...siteInputOf(flags, current), default_priority_id: defaultPriority });
        const input = check(siteChangeInput, change);
        showSite(flags, opened, await opened.write((tx, ctx) => changeSite(tx, ctx, name, input, null)));
      }),
    );
}

function addRemove(group: Command): void {
  askBeforeRemoving(
    addCommand(group, 'rm <site>', 'remove a site with all its tickets and files', 'helpdesk site rm web-shop --yes'),
  ).action((name: string, flags: CommonOptions & { yes?: boolean }) =>
    withDesk(flags, async (opened) => {
      const site = opened.read((tx) => readSite(tx, opened.ctx(), name));
      confirmed(`Remove site ${site.slug} with all its tickets and files?`, flags.yes);
      const files = await opened.write((tx, ctx) => removeSite(tx, ctx, String(site.id), site.slug, null));
      const { desk, blobs, mailBlobs } = opened.data;
      for (const ulid of files) await blobs.remove(ulid);
      const progress = createProgress('Removing');
      await removeRest({
        desk,
        blobs,
        mailBlobs,
        log: silentLog,
        onStep: ({ tickets, left }) => progress.show(tickets === 0 ? null : 1 - left / tickets),
      }).finally(progress.end);
      show(flags, { json: { data: null }, text: () => `Site ${site.slug} was removed.` });
    }),
  );
}

type RotateFlags = CommonOptions & { grace: string };

function graceOf(flags: RotateFlags): number | null {
  return check(rotateInput, { grace_minutes: wholeNumber(flags.grace, '--grace') }).grace_minutes ?? null;
}

function addRotateToken(group: Command): void {
  addCommand(
    group,
    'rotate-token <site>',
    'replace the site token and print the new one, which is shown only once',
    'helpdesk site rotate-token web-shop --grace 60',
  )
    .option('--grace <minutes>', 'how long the old token stays valid', '0')
    .action((name: string, flags: RotateFlags) =>
      withDesk(flags, async (opened) => {
        const grace = graceOf(flags);
        const { site, siteToken } = await opened.write((tx, ctx) => rotateSiteToken(tx, ctx, name, grace));
        show(flags, {
          json: { data: present(opened, site), site_token: siteToken },
          text: () => `The new token of ${site.slug}, shown only once:\n${siteToken}`,
        });
      }),
    );
}

function addRotateInbound(group: Command): void {
  addCommand(
    group,
    'rotate-inbound <site>',
    'replace the secret address that mail providers post to',
    'helpdesk site rotate-inbound web-shop',
  )
    .option('--grace <minutes>', 'how long the old address stays valid', '0')
    .action((name: string, flags: RotateFlags) =>
      withDesk(flags, async (opened) => {
        const grace = graceOf(flags);
        const { site, inboundSecret } = await opened.write((tx, ctx) => rotateInboundSecret(tx, ctx, name, grace));
        const url = inboundWebhookUrl(opened.baseUrl, inboundSecret);
        show(flags, {
          json: { data: present(opened, site), inbound_secret: inboundSecret, inbound_webhook_url: url },
          text: () => `The new address for the mail provider of ${site.slug}:\n${url}`,
        });
      }),
    );
}

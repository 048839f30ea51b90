// helpdesk agent invite and link: links that let an agent in, which the API mails and does not show.

import type { Command } from 'commander';
import { mailsOwn } from '../../src/desk/outbox/own-server.ts';
import { findAgent } from '../../src/desk/people/agents.ts';
import { inviteByEmail } from '../../src/desk/people/invitations.ts';
import { linkAgent, linkUrl } from '../../src/desk/people/sign-in-links.ts';
import { readSite } from '../../src/desk/sites/sites.ts';
import { agentRoles } from '../../src/domain/actor.ts';
import { agentInput } from '../../src/domain/input/people.ts';
import { presentAccount } from '../../src/http/wire/people/people.ts';
import { addCommand, type CommonOptions, show } from '../command.ts';
import { check, collect, given, orList } from '../flags.ts';
import { type Opened, withDesk } from '../opened-desk.ts';
import { plain } from '../output/text.ts';

export const worksOn = 'a site that the agent works on; can be repeated (default: every site)';

/** Empty for every site. */
export function siteIdsOf(opened: Opened, flags: { site?: unknown; allSites?: unknown }): number[] | undefined {
  const names = flags.site as string[] | undefined;
  return flags.allSites ? [] : names?.map((name) => opened.read((tx) => readSite(tx, opened.ctx(), name)).id);
}

interface InviteFlags extends CommonOptions {
  email: string;
  name: string;
  role?: string;
  site?: string[];
}

export function addAgentLinks(group: Command): void {
  addCommand(
    group,
    'invite',
    'invite an agent and print the link, which lets them choose a password',
    'helpdesk agent invite --email kim@example.org --name "Kim Sato" --role admin',
  )
    .requiredOption('--email <address>', 'e-mail address; an agent who has it is invited again')
    .requiredOption('--name <name>', 'full name')
    .option('--role <role>', orList(agentRoles))
    .option('--site <site>', worksOn, collect)
    .action((flags: InviteFlags) =>
      withDesk(flags, async (opened) => {
        const { email, name, role } = flags;
        const input = check(agentInput, given({ email, name, role, sites: siteIdsOf(opened, flags) }));
        const isMailed = opened.read((tx) => mailsOwn(tx, opened.ctx()));
        const { agent, secret } = await opened.write((tx, ctx) => inviteByEmail(tx, ctx, input, isMailed));
        const url = linkUrl(opened.data.addresses.baseUrl, 'invitation', secret);
        const sent = isMailed
          ? `The link is on its way to ${plain(agent.email)}`
          : 'No mail server is configured. Send the link';
        show(flags, {
          json: { data: presentAccount(agent, opened.ctx().now), invitation_url: url },
          text: () => `${plain(agent.name)} is invited. ${sent}. It works once, for seven days:\n${url}`,
        });
      }),
    );
  addCommand(
    group,
    'link <agent>',
    'print a link that signs an agent in once, within 15 minutes, without password and second factor',
    'helpdesk agent link kim@example.org',
  ).action((name: string, flags: CommonOptions) =>
    withDesk(flags, async (opened) => {
      const { agent, secret } = await opened.write((tx, ctx) => {
        const found = findAgent(tx, ctx, name);
        return { agent: found, secret: linkAgent(tx, ctx, found) };
      });
      const url = linkUrl(opened.data.addresses.baseUrl, 'sign_in', secret);
      show(flags, {
        json: { data: presentAccount(agent, opened.ctx().now), sign_in_url: url },
        text: () => `This signs ${plain(agent.name)} in once, within 15 minutes:\n${url}`,
      });
    }),
  );
}

// helpdesk agent invite and link: links that let an agent in.

import type { Command } from 'commander';
import { inviteByEmail } from '../../src/desk/people/invitations.ts';
import { findAgent } from '../../src/desk/people/people.ts';
import { linkAgent, linkUrl } from '../../src/desk/people/sign-in-links.ts';
import { agentRoles } from '../../src/domain/actor.ts';
import { agentInput } from '../../src/domain/input/people.ts';
import { presentAccount } from '../../src/http/wire/people.ts';
import { addCommand, type CommonOptions, show } from '../command.ts';
import { check, collect, orList } from '../flags.ts';
import { withDesk } from '../opened-desk.ts';
import { plain } from '../output/text.ts';
import { type AgentFlags, inputOf } from './agent-input.ts';

export function agentLinkCommands(group: Command): void {
  addCommand(
    group,
    'invite',
    'invite an agent and print the link, which lets them choose a password',
    'helpdesk agent invite --email kim@example.org --name "Kim Sato" --role admin',
  )
    .requiredOption('--email <address>', 'e-mail address; an agent who has it is invited again')
    .requiredOption('--name <name>', 'full name')
    .option('--role <role>', orList(agentRoles))
    .option('--site <site>', 'a site that the agent works on; can be repeated (default: every site)', collect)
    .action((flags: AgentFlags) =>
      withDesk(flags, async (opened) => {
        const input = check(agentInput, inputOf(opened, flags));
        const isMailed = opened.config.HELPDESK_SMTP_URL !== null;
        const { agent, secret } = await opened.write((tx, ctx) => inviteByEmail(tx, ctx, input, isMailed));
        const url = linkUrl(opened.baseUrl, 'invitation', secret);
        const sent = isMailed
          ? `The link is on its way to ${plain(agent.email)}`
          : 'No mail server is configured. Send the link';
        show(flags, {
          json: { data: presentAccount(agent), invitation_url: url },
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
      const url = linkUrl(opened.baseUrl, 'sign_in', secret);
      show(flags, {
        json: { data: presentAccount(agent), sign_in_url: url },
        text: () => `This signs ${plain(agent.name)} in once, within 15 minutes:\n${url}`,
      });
    }),
  );
}

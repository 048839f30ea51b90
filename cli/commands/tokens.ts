// helpdesk token …

import type { Command } from 'commander';
import { issueToken, listTokens, revokeToken } from '../../src/desk/people.ts';
import { readSite } from '../../src/desk/sites.ts';
import { tokenInput } from '../../src/domain/input/people.ts';
import { presentToken } from '../../src/http/wire/present.ts';
import { addCommand, addGroup, list, show } from '../command.ts';
import { type CommonOptions, check, confirmed, momentOf, wholeNumber, withDesk } from '../opened-desk.ts';
import { table } from '../output/text.ts';

export function tokenCommands(program: Command): void {
  const group = addGroup(
    program,
    'token',
    'team tokens: issue, list, revoke',
    'helpdesk token issue --name me --abilities read,write',
  );
  addCommand(
    group,
    'issue',
    'issue a team token, shown this once',
    'helpdesk token issue --name console --abilities read,write --expires 90d',
  )
    .requiredOption('--name <name>')
    .option('--site <site>', 'confine it to one site')
    .option('--abilities <list>', 'read, write, manage', 'read,write')
    .option('--expires <when>', 'a span as 90d or a time')
    .action((flags: CommonOptions & { name: string; site?: string; abilities: string; expires?: string }) =>
      withDesk(flags, async (opened) => {
        const { site } = flags;
        const input = check(tokenInput, {
          name: flags.name,
          abilities: list(flags.abilities),
          site_id: site === undefined ? null : opened.read((tx) => readSite(tx, opened.ctx(), site)).id,
          expires_at: flags.expires === undefined ? null : momentOf(flags.expires, '--expires', 1),
        });
        const { token, secret } = await opened.write((tx, ctx) => issueToken(tx, ctx, input));
        show(flags, {
          json: { data: presentToken(token), token: secret },
          text: () => `Token ${token.id} (${token.abilities.join(', ')}), shown this once:\n${secret}`,
        });
      }),
    );
  addCommand(group, 'list', 'list team tokens and when each was last used', 'helpdesk token list').action(
    (flags: CommonOptions) =>
      withDesk(flags, (opened) => {
        const { rows } = opened.read((tx) => listTokens(tx, opened.ctx(), 10_000, 0));
        const shown = rows.map(presentToken);
        show(flags, {
          json: { data: shown },
          text: () =>
            table(
              ['id', 'name', 'abilities', 'site', 'expires', 'last used'],
              shown.map((token) => [
                token.id,
                token.name,
                token.abilities,
                token.site,
                token.expires_at,
                token.last_used_at,
              ]),
            ),
        });
      }),
  );
  addCommand(group, 'revoke <id>', 'revoke a team token at once', 'helpdesk token revoke 3 --yes')
    .option('--yes', 'do not ask')
    .action((id: string, flags: CommonOptions & { yes?: boolean }) =>
      withDesk(flags, async (opened) => {
        confirmed(`Revoke token ${id}?`, flags.yes);
        const token = await opened.write((tx, ctx) => revokeToken(tx, ctx, wholeNumber(id, 'The id')));
        show(flags, { json: { data: presentToken(token) }, text: () => `Token ${token.id} opens nothing any more.` });
      }),
    );
}

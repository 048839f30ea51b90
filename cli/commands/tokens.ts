// helpdesk token: team tokens.

import type { Command } from 'commander';
import { toWire } from '../../src/base/clock.ts';
import { issueToken, listTokens, revokeToken } from '../../src/desk/people/tokens.ts';
import { readSite } from '../../src/desk/sites.ts';
import { tokenAbilities } from '../../src/domain/actor.ts';
import { tokenInput } from '../../src/domain/input/people.ts';
import { presentToken } from '../../src/http/wire/people.ts';
import { addCommand, askBeforeRemoving, type CommonOptions, show } from '../command.ts';
import { check, confirmed, list, momentOf, rowId } from '../flags.ts';
import { withDesk } from '../opened-desk.ts';
import { table } from '../output/text.ts';

const maxListed = 10_000;

export function tokenCommands(program: Command): void {
  const group = addCommand(
    program,
    'token',
    'team tokens: issue, list, revoke',
    'helpdesk token issue --name me --abilities read,write',
  );
  addCommand(
    group,
    'issue',
    'create a team token and print it; it is shown only once',
    'helpdesk token issue --name console --abilities read,write --expires 90d',
  )
    .requiredOption('--name <name>', 'what the token is for')
    .option('--site <site>', 'restrict the token to one site: id, ULID or slug')
    .option('--abilities <list>', `comma-separated: ${tokenAbilities.join(', ')}`, 'read,write')
    .option('--expires <when>', 'a span such as 90d, or a time (default: never)')
    .action((flags: CommonOptions & { name: string; site?: string; abilities: string; expires?: string }) =>
      withDesk(flags, async (opened) => {
        const { site } = flags;
        const input = check(tokenInput, {
          name: flags.name,
          abilities: list(flags.abilities),
          site_id: site === undefined ? null : opened.read((tx) => readSite(tx, opened.ctx(), site)).id,
          expires_at: flags.expires === undefined ? null : toWire(momentOf(flags.expires, '--expires', 1)),
        });
        const { token, secret } = await opened.write((tx, ctx) => issueToken(tx, ctx, input));
        show(flags, {
          json: { data: presentToken(token), token: secret },
          text: () => `Token ${token.id} (${token.abilities.join(', ')}), shown only once:\n${secret}`,
        });
      }),
    );
  addCommand(group, 'list', 'list team tokens and when each was last used', 'helpdesk token list').action(
    (flags: CommonOptions) =>
      withDesk(flags, (opened) => {
        const { rows } = opened.read((tx) => listTokens(tx, opened.ctx(), maxListed, 0));
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
  askBeforeRemoving(
    addCommand(group, 'revoke <id>', 'revoke a team token, with immediate effect', 'helpdesk token revoke 3 --yes'),
  ).action((id: string, flags: CommonOptions & { yes?: boolean }) =>
    withDesk(flags, async (opened) => {
      confirmed(`Revoke token ${id}?`, flags.yes);
      const token = await opened.write((tx, ctx) => revokeToken(tx, ctx, rowId(id)));
      show(flags, { json: { data: presentToken(token) }, text: () => `Token ${token.id} was revoked.` });
    }),
  );
}

// helpdesk ticket links and revoke-links

import type { Command } from 'commander';
import { listTicketLinks, revokeTicketLinks } from '../../../src/desk/customer/ticket-links.ts';
import { presentTicketLink } from '../../../src/http/wire/ticket-link.ts';
import { addCommand, askBeforeRemoving, type CommonOptions, show } from '../../command.ts';
import { confirmed } from '../../flags.ts';
import { withDesk } from '../../opened-desk.ts';
import { table } from '../../output/text.ts';
import { ticketName } from './show.ts';

export function addTicketLinks(group: Command): void {
  addCommand(
    group,
    'links <ticket>',
    'list the links that customers have to a ticket',
    'helpdesk ticket links 41',
  ).action((name: string, flags: CommonOptions) =>
    withDesk(flags, (opened) => {
      const data = opened.read((tx) => listTicketLinks(tx, opened.ctx(), ticketName(name))).map(presentTicketLink);
      show(flags, {
        json: { data },
        text: () =>
          table(
            ['address', 'kind', 'sent', 'uses', 'last used', 'confirmed', 'revoked'],
            data.map((link) => [
              link.address,
              link.kind,
              link.sent_at,
              link.uses,
              link.last_used_at,
              link.is_confirmed,
              link.revoked_at,
            ]),
          ),
      });
    }),
  );
  askBeforeRemoving(
    addCommand(
      group,
      'revoke-links <ticket>',
      'end all links that customers have to a ticket, and the visits that they opened',
      'helpdesk ticket revoke-links 41 --yes',
    ),
  ).action((name: string, flags: CommonOptions & { yes?: boolean }) =>
    withDesk(flags, async (opened) => {
      const ticket = ticketName(name);
      opened.read((tx) => listTicketLinks(tx, opened.ctx(), ticket));
      confirmed(`Revoke all links to ticket ${ticket}?`, flags.yes);
      const revoked = await opened.write((tx, ctx) => revokeTicketLinks(tx, ctx, ticket));
      show(flags, {
        json: { data: { revoked } },
        text: () => (revoked === 1 ? '1 link is revoked.' : `${revoked} links are revoked.`),
      });
    }),
  );
}

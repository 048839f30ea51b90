// helpdesk ticket open

import type { Command } from 'commander';
import { readSite } from '../../../src/desk/sites.ts';
import { openTicketAsAgent } from '../../../src/desk/tickets.ts';
import { agentTicketInput } from '../../../src/domain/input/tickets.ts';
import { addCommand, collect, given, list } from '../../command.ts';
import { type CommonOptions, check, wholeNumber, withDesk } from '../../opened-desk.ts';
import { showTicket } from './show.ts';
import { bodyOf, fieldValues } from './values.ts';

export function addTicketOpen(group: Command): void {
  addCommand(
    group,
    'open',
    "open a ticket on somebody's behalf",
    'helpdesk ticket open --site web-shop --email mia@example.org --subject "Cannot log in" --body "Since today."',
  )
    .requiredOption('--site <site>', 'id, ulid or slug')
    .requiredOption('--email <address>')
    .requiredOption('--subject <subject>')
    .option('--name <name>')
    .option('--body <text>', 'the message; standard input without it')
    .option('--category <id>')
    .option('--priority <id>')
    .option('--assign <agent>', "an agent's id")
    .option('--tags <list>')
    .option('--field <key=value>', 'a custom field, repeatable', collect)
    .option('--test', 'a test ticket notifies nobody and is not counted')
    .action(
      (
        flags: CommonOptions & {
          site: string;
          email: string;
          subject: string;
          name?: string;
          body?: string;
          category?: string;
          priority?: string;
          assign?: string;
          tags?: string;
          field?: string[];
          test?: boolean;
        },
      ) =>
        withDesk(flags, async (opened) => {
          const { id: siteId } = opened.read((tx) => readSite(tx, opened.ctx(), flags.site));
          const input = check(
            agentTicketInput,
            given({
              site_id: siteId,
              email: flags.email,
              name: flags.name,
              subject: flags.subject,
              message: await bodyOf(flags.body),
              category_id: flags.category === undefined ? undefined : wholeNumber(flags.category, '--category'),
              priority_id: flags.priority === undefined ? undefined : wholeNumber(flags.priority, '--priority'),
              assigned_to: flags.assign === undefined ? undefined : wholeNumber(flags.assign, '--assign'),
              tags: list(flags.tags),
              custom_fields: fieldValues(opened, siteId, flags.field),
              is_test: flags.test,
            }),
          );
          const { ticket } = await opened.write((tx, ctx) => openTicketAsAgent(tx, ctx, input));
          showTicket(flags, opened, ticket);
        }),
    );
}

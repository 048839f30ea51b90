// helpdesk ticket open

import type { Command } from 'commander';
import { readSite } from '../../../src/desk/sites.ts';
import { openTicketAsAgent } from '../../../src/desk/tickets.ts';
import { agentTicketInput } from '../../../src/domain/input/tickets.ts';
import { addCommand, type CommonOptions, requireSite } from '../../command.ts';
import { check, collect, given, list, optionalNumber } from '../../flags.ts';
import { withDesk } from '../../opened-desk.ts';
import { showTicket } from './show.ts';
import { bodyOf, fieldValues } from './values.ts';

interface OpenFlags extends CommonOptions {
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
}

export function addTicketOpen(group: Command): void {
  requireSite(
    addCommand(
      group,
      'open',
      'open a ticket on behalf of an author',
      'helpdesk ticket open --site web-shop --email mia@example.org --subject "Cannot log in" --body "Since today."',
    ),
  )
    .requiredOption('--email <address>', "author's e-mail address")
    .requiredOption('--subject <subject>', 'subject')
    .option('--name <name>', "author's name")
    .option('--body <text>', 'message (default: read from standard input)')
    .option('--category <id>', 'category id')
    .option('--priority <id>', "priority id (default: the site's default priority)")
    .option('--assign <agent>', 'agent id')
    .option('--tags <list>', 'comma-separated')
    .option('--field <key=value>', 'value of a custom field; can be repeated', collect)
    .option('--test', 'make it a test ticket, which sends no notifications and is not counted')
    .action((flags: OpenFlags) =>
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
            category_id: optionalNumber(flags.category, '--category'),
            priority_id: optionalNumber(flags.priority, '--priority'),
            assigned_to: optionalNumber(flags.assign, '--assign'),
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

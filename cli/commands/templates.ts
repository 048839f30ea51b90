// helpdesk template: what a site says in the desk's own mails to customers.

import type { presentMailTemplate } from '../../src/http/wire/sites/mail-template.ts';
import { UsageError } from '../errors.ts';
import { operationGroup } from '../operation-command.ts';

type Template = ReturnType<typeof presentMailTemplate>;

const example = 'code nl --site web-shop';
const preview = ({ data: { subject, text } }: { data: { subject: string; text: string } }) =>
  `Subject: ${subject}\n\n${text}`;

export const templateCommands = operationGroup(
  'template',
  "templates of a site's mail to customers",
  'helpdesk template list --site web-shop',
  [
    {
      usage: 'list',
      does: 'list the mails and languages, and which have words of the site',
      example: 'helpdesk template list --site web-shop',
      operation: 'templates/listMailTemplates',
      columns: ['name', 'locale', 'is_custom', 'subject', 'variables', 'needed'],
    },
    {
      usage: 'show <name> <locale>',
      does: 'show the words of one mail, to change and set again',
      example: `helpdesk template show ${example}`,
      operation: 'templates/listMailTemplates',
      only: [],
      after: ({ words }, answer) => {
        const { data } = answer as { data: Template[] };
        const found = data.find(({ name, locale }) => name === words.name && locale === words.locale);
        if (found === undefined) throw new UsageError('There is no such mail: see `helpdesk template list`.');
        return { data: found };
      },
      print: (answer) => (answer as { data: Template }).data.body,
    },
    {
      usage: 'set <name> <locale>',
      does: 'change the words of one mail; Markdown with variables',
      example: `helpdesk template show ${example} | helpdesk template set ${example}`,
      operation: 'templates/putMailTemplate',
      text: 'body',
      print: () => 'The template was changed.',
    },
    {
      usage: 'reset <name> <locale>',
      does: "go back to the desk's own words",
      example: `helpdesk template reset ${example} --yes`,
      operation: 'templates/resetMailTemplate',
      question: ({ words }) => `Remove the words of ${words.name} in ${words.locale}?`,
      print: () => "The mail has the desk's own words again.",
    },
    {
      usage: 'preview <name> <locale>',
      does: 'print a mail as it would be sent',
      example: `helpdesk template preview ${example}`,
      operation: 'templates/previewMailTemplate',
      only: ['ticket'],
      meanings: { ticket: 'id or ULID of a ticket whose data to show' },
      print: (answer) => preview(answer as Parameters<typeof preview>[0]),
    },
    {
      usage: 'test <name> <locale>',
      does: 'mail an example to an agent',
      example: `helpdesk template test ${example} --agent 1`,
      operation: 'templates/testMailTemplate',
      meanings: { agent_id: 'id of the agent who gets it' },
      print: (answer) => `Queued a mail to ${(answer as { data: { recipient: string } }).data.recipient}.`,
    },
  ],
);

// What the API reference says besides its operations: an introduction, and a sentence for each group.

export const introduction = `
A support desk for several sites. This is the same interface that the console and the command line use.

## Who calls it

| You are | You send | You call |
| --- | --- | --- |
| the server of a web app | the site token in \`X-Site-Token\` | **Ingest**: open tickets, list those of one user |
| the same, for one customer | also the ticket's \`access_token\` in the query | **Ingest**: read a thread, reply, attach files |
| a tool of the support team | a team token in \`Authorization: Bearer …\` | everything for agents, as far as its abilities go |
| a page of this desk | the cookie of an agent or a customer | **Sign-in**, **Own account**, **Live**, **Customers’ pages** |

A site token is a server-side secret: never put it into a page or a mobile app. CORS is off.

## Conventions

- JSON in UTF-8 with snake_case names. Times are RFC 3339 in UTC. A value that does not exist is \`null\`.
- One resource is \`{"data": {…}}\`. A list is \`{"data": […], "links": {…}, "meta": {…}}\`; \`page\` starts at 1, and \`per_page\` is at most 100.
- New fields can appear in any answer: ignore those that you do not know.
- \`[]\` counts as an empty object, an object with numbers as keys as a list, and a number in a string as the number.

## Errors

Every error has \`message\`, \`code\` and \`request_id\`. A 422 also has \`errors\`: messages by the path of the field, such as \`context.extra\`. Branch on \`code\`, and log
\`request_id\`: the desk's log has the same. A 401, 403, 404 or 422 stays as it is however often you repeat the request. A 429 or 503 says in \`Retry-After\` when to try again.

## Repeating a request safely

Send an \`Idempotency-Key\` with a POST. The desk stores the first answer together with the change and repeats it for 24 hours, so that a request whose
answer was lost can be sent again.

## Tokens that only write

A team token without the ability \`read\` gets, of what it changed, only \`id\`, and \`ulid\`, \`reference\` and \`slug\` if the resource has them. Such answers are marked
"Without the ability to read, only its names."; their schemas show the whole resource, which every other caller gets. A new secret is always shown.

## Webhooks

The desk calls your server when something happens to a ticket: see the webhooks of this document. It signs every request.
`.trim();

export const tags = {
  Ingest:
    'For the server of a web app, with its site token: open tickets, show them to the user, and take replies and files.',
  'Customers’ pages':
    "What the desk's own pages for customers do: read and answer a ticket by its link, use a site's form.",
  Tickets: 'Lists, reading, changing, replying, notes, files, merging and splitting, and the clocks of a ticket.',
  Customers: 'The people who write, as agents see them, with their tickets.',
  Authors: 'Erasing a person.',
  Notifications: 'What an agent hears of, and where.',
  Views: 'Saved filters of the list, and their counts.',
  Reports: 'Numbers with the tickets behind them.',
  Sites: 'Sites with their settings, SLA policy and secrets.',
  Macros: 'Prepared replies and changes.',
  Categories: 'The categories of a site.',
  Senders: 'The addresses that a site writes from.',
  Mailboxes: 'Mailboxes that a team already has: the desk reads them, and sends through their servers.',
  'Mail templates': 'What a site says in the mails that the desk writes to customers.',
  Priorities: 'The priorities of a site, and their targets.',
  'Custom fields': "A site's own fields of a ticket.",
  'Inbound mail': 'Mail of providers, the log of what arrived, and what agents decide about it.',
  'Inbound rules': 'What a site does with mail before it becomes a ticket.',
  Automation: 'Rules that act on changes and on time, and what they did.',
  'Webhook channels': 'Where events of tickets are sent, and the log of deliveries.',
  Agents: 'The people of the support team.',
  Teams: 'Agents who share the tickets of some sites.',
  Tokens: 'Team tokens.',
  Desk: 'Settings of the whole desk, its health, and this document.',
  Audit: 'Who changed what in the settings.',
  'Sign-in': "How an agent's browser gets and ends a session.",
  'Own account': 'What people manage about themselves: password, second factor, devices, preferences.',
  Events: 'Every change, numbered without gaps: to poll or to stream.',
  Live: 'What the console follows: counts, presence, changes.',
  Attachments: 'Downloads by signed link.',
} as const;

export type Tag = keyof typeof tags;

// helpdesk rule: a site's inbound rules, triggers, timed rules and recurring tickets.

import type { Command } from 'commander';
import { readSite } from '../../src/desk/sites/sites.ts';
import { parseAction, parseCondition } from '../../src/domain/rules/text.ts';
import { presentPreview } from '../../src/http/wire/mail/inbound-mail.ts';
import type { presentRule } from '../../src/http/wire/sites/catalogue.ts';
import { addCommand, type CommonOptions, requireSite, show } from '../command.ts';
import { UsageError } from '../errors.ts';
import { collect, wholeNumber } from '../flags.ts';
import { withDesk } from '../opened-desk.ts';
import { pipedMessage, withMailroom } from '../opened-mailroom.ts';
import { type OperationCommand, operationGroup, type Use } from '../operation-command.ts';
import { describeRule } from '../output/rule-trace.ts';
import { bold, plain, plainLines, table } from '../output/text.ts';

type Rule = ReturnType<typeof presentRule>;

function printRules({ data }: { data: Rule | Rule[] }): string {
  const rows = [data].flat().map((rule) => {
    const conditions = rule.conditions.map(
      ({ field, operator, value, negate }) => `${negate ? 'not ' : ''}${field} ${operator} ${JSON.stringify(value)}`,
    );
    const actions = rule.actions.map(({ type, value }) => `${type} ${JSON.stringify(value)}`);
    const { runs, matches } = rule.last_30_days;
    const shown = [rule.position, rule.id, rule.name, rule.match, conditions, actions, rule.stop_processing];
    return [...shown, rule.is_active, `${matches} of ${runs}`];
  });
  return table(['position', 'id', 'name', 'match', 'conditions', 'actions', 'stop', 'active', 'matched'], rows);
}

function parsed<Value>(result: { value: Value; error: null } | { value: null; error: string }, flag: string): Value {
  if (result.error !== null) throw new UsageError(`${flag}: ${result.error}`);
  return result.value;
}

type Named = { id: number; name: string; slug: string };

/** What a rule can refer to by name. Agents can share a name, so their address works too. */
async function surroundingsOf({ ask, flags }: Use) {
  const params = { site: flags.site };
  const listed = async <Row>(name: Parameters<Use['ask']>[0]) => (await ask<{ data: Row[] }>(name, { params })).data;
  const agents = await listed<{ id: number; name: string; email: string }>('sites/listSiteAgents');
  const senders = await listed<{ id: number; from: { address: string } }>('senders/listSenders');
  return {
    categories: await listed<Named>('fields/listCategories'),
    priorities: await listed<Named>('fields/listPriorities'),
    senders: senders.map(({ id, from }) => ({ id, name: from.address })),
    agents: agents.map(({ id, name, email }) => ({ id, name, slug: email })),
    hasMembers: agents.length > 0,
  };
}

const partsIn = ({ flags }: Use) => ({
  conditions: flags.if as readonly string[] | undefined,
  actions: flags.then as readonly string[] | undefined,
});

async function partsOf(use: Use) {
  const { conditions, actions } = partsIn(use);
  const surroundings = await surroundingsOf(use);
  return {
    conditions: conditions?.map((text) => parsed(parseCondition(text, surroundings), '--if')),
    actions: actions?.map((text) => parsed(parseAction(text, surroundings), '--then')),
  };
}

async function inputOf(use: Use) {
  const { name, any, stop } = use.flags;
  const { conditions = [], actions } = await partsOf(use);
  return {
    name: name ?? (partsIn(use).conditions?.join(any ? ' or ' : ' and ') ?? 'every message').slice(0, 255),
    match: any ? 'any' : 'all',
    ...{ conditions, actions },
    stop_processing: stop !== undefined,
  };
}

/** The other kinds of rules: their conditions and actions are JSON, as the API takes them. */
function ofKind(word: string, name: string, example: string): OperationCommand[] {
  const what = word.replace('-', ' ');
  const body = ({ words }: Use) => jsonIn(words.json ?? '');
  const columns = ['position', 'id', 'name', 'active=is_active', 'broken', 'ran=runs.ran', 'matched=runs.matched'];
  return [
    {
      usage: `${word}s`,
      does: `list the ${what}s of a site`,
      example: `helpdesk rule ${word}s --site web-shop`,
      operation: `automation/list${name}s`,
      columns,
    },
    {
      usage: `add-${word} <json>`,
      does: `add a ${what}, as JSON`,
      example: `helpdesk rule add-${word} '${example}' --site web-shop`,
      operation: `automation/create${name}`,
      only: [],
      body,
      columns,
    },
    {
      usage: `update-${word} <id> <json>`,
      does: `change a ${what}: the JSON has what changes`,
      example: `helpdesk rule update-${word} 7 '{"is_active":false}' --site web-shop`,
      operation: `automation/update${name}`,
      only: [],
      body,
      columns,
    },
    {
      usage: `${word}-runs <id>`,
      does: `list what a ${what} did in the last 30 days`,
      example: `helpdesk rule ${word}-runs 7 --site web-shop`,
      operation: `automation/list${name}Runs`,
      columns: ['at', 'ticket=ticket.reference', 'subject=ticket.subject', 'seq'],
    },
    {
      usage: `rm-${word} <id>`,
      does: `remove a ${what}`,
      example: `helpdesk rule rm-${word} 7 --site web-shop --yes`,
      operation: `automation/delete${name}`,
      reads: `automation/read${name}`,
      question: ({ row }) => `Remove the ${what} ${plain(row.name)}?`,
      print: (_answer, { row }) => `The ${what} ${plain(row.name)} was removed.`,
    },
  ];
}

function jsonIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new UsageError('The rule must be an object in JSON.');
}

const all = ({ ask, flags }: Use) => ask('rules/listInboundRules', { params: { site: flags.site } });

function switching(word: 'enable' | 'disable'): OperationCommand {
  return {
    usage: `${word} <id>`,
    does: `${word} a rule`,
    example: `helpdesk rule ${word} 7 --site web-shop`,
    operation: 'rules/updateInboundRule',
    only: [],
    body: () => ({ is_active: word === 'enable' }),
    print: printRules,
  };
}

export const ruleCommands = operationGroup(
  'rule',
  'rules on mail, changes and time',
  'helpdesk rule list --site web-shop',
  [
    {
      usage: 'add',
      does: 'add a rule after the existing ones',
      example: `helpdesk rule add --site web-shop --if 'subject contains invoice' --then 'add_tags billing' --stop`,
      operation: 'rules/createInboundRule',
      only: [],
      own: (command) =>
        command
          .option('--name <name>', 'name of the rule (default: its conditions)')
          .option('--if <condition>', "condition, as '<field> [not] <operator> <value>'; can be repeated", collect)
          .requiredOption('--then <action>', "action, as '<action> <value>'; can be repeated", collect)
          .option('--any', 'match when any condition is met (default: when all are)')
          .option('--stop', 'skip the rules after this one when it matches'),
      body: inputOf,
      print: printRules,
    },
    {
      usage: 'list',
      does: 'list rules in the order in which they run',
      example: 'helpdesk rule list --site web-shop',
      operation: 'rules/listInboundRules',
      print: printRules,
    },
    {
      usage: 'move <id> <position>',
      does: 'move a rule to a position; 1 runs first',
      example: 'helpdesk rule move 7 1 --site web-shop',
      operation: 'rules/orderInboundRules',
      only: [],
      reads: 'rules/readInboundRule',
      async body(use) {
        const { data } = (await all(use)) as { data: Rule[] };
        const ids = data.map(({ id }) => id).filter((id) => id !== use.row.id);
        ids.splice(Math.max(0, wholeNumber(use.words.position ?? '', 'The position') - 1), 0, use.row.id);
        return { ids };
      },
      print: printRules,
    },
    {
      usage: 'update <id>',
      does: 'change a rule',
      example: `helpdesk rule update 7 --site web-shop --then 'add_tags billing,vip'`,
      operation: 'rules/updateInboundRule',
      only: ['name', 'match', 'stop_processing'],
      own: (command) =>
        command
          .option('--if <condition>', 'condition in the place of all there are; can be repeated', collect)
          .option('--then <action>', 'action in the place of all there are; can be repeated', collect),
      body: partsOf,
      print: printRules,
    },
    switching('enable'),
    switching('disable'),
    {
      usage: 'tickets <id>',
      does: 'list the tickets whose mail a rule matched in the last 30 days',
      example: 'helpdesk rule tickets 7 --site web-shop',
      operation: 'rules/listInboundRuleTickets',
      columns: ['ticket=reference', 'subject', 'matched=matched_at', 'ulid'],
    },
    {
      usage: 'rm <id>',
      does: 'remove a rule',
      example: 'helpdesk rule rm 7 --site web-shop --yes',
      operation: 'rules/deleteInboundRule',
      reads: 'rules/readInboundRule',
      question: ({ row }) => `Remove rule ${plain(row.name)}?`,
      print: (_answer, { row }) => `Rule ${plain(row.name)} was removed.`,
    },
    ...ofKind(
      'trigger',
      'Trigger',
      '{"name":"VIP","on":["created"],"conditions":[{"field":"tag","operator":"equals","value":"vip"}],"actions":[{"type":"set_priority","value":3}]}',
    ),
    ...ofKind(
      'timed-rule',
      'TimedRule',
      '{"name":"Close","since":"status_changed","minutes":10080,"actions":[{"type":"set_status","value":"closed"}]}',
    ),
    ...ofKind(
      'recurring-ticket',
      'RecurringTicket',
      '{"name":"Backups","schedule":"0 9 * * 1","ticket":{"email":"ops@example.org","subject":"Check","message":"The backups."}}',
    ),
  ],
  addTest,
);

// The API takes the source as text, and less of it.
function addTest(group: Command): void {
  requireSite(
    addCommand(
      group,
      'test',
      'show what the rules would do to a message from standard input or the inbound log, and why',
      'helpdesk rule test --site web-shop < message.eml',
    ),
  )
    .option('--mail <id>', 'number of a message in the inbound log')
    .action((flags: CommonOptions & { site: string; mail?: string }) => {
      const stored = flags.mail === undefined ? null : wholeNumber(flags.mail, '--mail');
      const input = stored === null ? pipedMessage() : null;
      return withDesk(flags, async (opened) => {
        opened.read((tx) => readSite(tx, opened.ctx(), flags.site));
        const mail = stored ?? new Uint8Array(await new Response(input).arrayBuffer());
        const shown = presentPreview(await withMailroom(opened, (mailroom) => mailroom.preview(flags.site, mail)));
        show(flags, { json: { data: shown }, text: () => describePreview(shown) });
      });
    });
}

function describePreview(shown: ReturnType<typeof presentPreview>): string {
  const match = shown.ticket === null ? 'matches no ticket' : `belongs to ${shown.ticket.reference}`;
  const head = `The message is ${shown.kind} and ${match}. Outcome: ${shown.outcome}. ${plain(shown.reason)}`;
  const rules = shown.rules.length === 0 ? ['The site has no rules.'] : shown.rules.map(describeRule);
  const effects = Object.entries(shown.effects)
    .filter(([, value]) => value !== null && !(typeof value === 'object' && Object.keys(value).length === 0))
    .map(([name, value]) => `  ${name}: ${plainLines(JSON.stringify(value))}`);
  const total = [bold('Effects of all rules:'), ...(effects.length === 0 ? ['  none'] : effects)].join('\n');
  return [head, ...rules, total].join('\n\n');
}

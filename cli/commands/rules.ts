// helpdesk rule: a site's inbound rules.

import type { Command } from 'commander';
import { categories } from '../../src/desk/catalogue/categories.ts';
import { priorities } from '../../src/desk/catalogue/priorities.ts';
import type { Context } from '../../src/desk/context.ts';
import { inboundRules } from '../../src/desk/inbound/rules.ts';
import { listAssignableAgents } from '../../src/desk/people/people.ts';
import { readSite } from '../../src/desk/sites.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { ruleInput } from '../../src/domain/input/channels.ts';
import type { RuleSurroundings } from '../../src/domain/rules/rule.ts';
import { parseAction, parseCondition } from '../../src/domain/rules/text.ts';
import { presentRule } from '../../src/http/wire/catalogue.ts';
import { presentPreview } from '../../src/http/wire/inbound-mail.ts';
import type { Tx } from '../../src/store/database.ts';
import { addCommand, askBeforeRemoving, type CommonOptions, requireSite, show } from '../command.ts';
import { UsageError } from '../errors.ts';
import { check, collect, confirmed, rowId, wholeNumber } from '../flags.ts';
import { withDesk } from '../opened-desk.ts';
import { pipedMessage, withMailroom } from '../opened-mailroom.ts';
import { describeRule } from '../output/rule-trace.ts';
import { bold, plain, plainLines, table } from '../output/text.ts';

type SiteFlags = CommonOptions & { site: string };
type Shown = ReturnType<typeof presentRule>;

export function ruleCommands(program: Command): void {
  const group = addCommand(
    program,
    'rule',
    'inbound rules: add, list, move, enable, disable, rm, test',
    'helpdesk rule list --site web-shop',
  );
  addAdd(group);
  addList(group);
  addMove(group);
  addSwitch(group, 'enable');
  addSwitch(group, 'disable');
  addRemove(group);
  addTest(group);
}

const columns = ['position', 'id', 'name', 'match', 'conditions', 'actions', 'stop', 'active'];

function rowOf({ position, id, name, match, conditions, actions, stop_processing, is_active }: Shown) {
  const conditionTexts = conditions.map(
    ({ field, operator, value, negate }) => `${negate ? 'not ' : ''}${field} ${operator} ${JSON.stringify(value)}`,
  );
  const actionTexts = actions.map(({ type, value }) => `${type} ${JSON.stringify(value)}`);
  return [position, id, name, match, conditionTexts, actionTexts, stop_processing, is_active];
}

function showRules(flags: CommonOptions, rules: Shown[]): void {
  show(flags, { json: { data: rules }, text: () => table(columns, rules.map(rowOf)) });
}

function showRule(flags: CommonOptions, rule: Shown): void {
  show(flags, { json: { data: rule }, text: () => table(columns, [rowOf(rule)]) });
}

function parsed<Value>(result: { value: Value; error: null } | { value: null; error: string }, flag: string): Value {
  if (result.error !== null) throw new UsageError(`${flag}: ${result.error}`);
  return result.value;
}

/** What a rule can refer to by name. Agents can share a name, so their address works too. */
function surroundingsOf(tx: Tx, ctx: Context, site: string): RuleSurroundings {
  const agents = listAssignableAgents(tx, ctx, site).map(({ id, name, email }) => ({ id, name, slug: email }));
  return {
    categories: categories.list(tx, ctx, site).rows,
    priorities: priorities.list(tx, ctx, site).rows,
    agents,
    hasMembers: agents.length > 0,
  };
}

type AddFlags = SiteFlags & { name?: string; if?: string[]; then?: string[]; any?: boolean; stop?: boolean };

function addAdd(group: Command): void {
  requireSite(
    addCommand(
      group,
      'add',
      'add a rule after the existing ones',
      `helpdesk rule add --site web-shop --if 'subject contains invoice' --then 'add_tags billing' --stop`,
    ),
  )
    .option('--name <name>', 'name of the rule (default: its conditions)')
    .option('--if <condition>', "condition, as '<field> [not] <operator> <value>'; can be repeated", collect)
    .requiredOption('--then <action>', "action, as '<action> <value>'; can be repeated", collect)
    .option('--any', 'match when any condition is met (default: when all are)')
    .option('--stop', 'skip the rules after this one when it matches')
    .action((flags: AddFlags) =>
      withDesk(flags, async (opened) => {
        const surroundings = opened.read((tx) => surroundingsOf(tx, opened.ctx(), flags.site));
        const input = check(ruleInput, {
          name: flags.name ?? (flags.if?.join(flags.any ? ' or ' : ' and ') || 'every message').slice(0, 255),
          match: flags.any ? 'any' : 'all',
          conditions: (flags.if ?? []).map((text) => parsed(parseCondition(text, surroundings), '--if')),
          actions: (flags.then ?? []).map((text) => parsed(parseAction(text, surroundings), '--then')),
          stop_processing: flags.stop ?? false,
        });
        const { row } = await opened.write((tx, ctx) => inboundRules.add(tx, ctx, flags.site, input));
        showRule(flags, presentRule(row));
      }),
    );
}

function addList(group: Command): void {
  requireSite(
    addCommand(group, 'list', 'list rules in the order in which they run', 'helpdesk rule list --site web-shop'),
  ).action((flags: SiteFlags) =>
    withDesk(flags, (opened) => {
      const { rows } = opened.read((tx) => inboundRules.list(tx, opened.ctx(), flags.site));
      showRules(flags, rows.map(presentRule));
    }),
  );
}

function addMove(group: Command): void {
  requireSite(
    addCommand(
      group,
      'move <id> <position>',
      'move a rule to a position; 1 runs first',
      'helpdesk rule move 7 1 --site web-shop',
    ),
  ).action((id: string, position: string, flags: SiteFlags) =>
    withDesk(flags, async (opened) => {
      const { rows } = await opened.write((tx, ctx) => {
        const ids = inboundRules.list(tx, ctx, flags.site).rows.map((rule) => rule.id);
        const at = ids.indexOf(rowId(id));
        if (at < 0) throw new DeskError('not_found', 'No such inbound rule.');
        ids.splice(at, 1);
        ids.splice(Math.max(0, wholeNumber(position, 'The position') - 1), 0, rowId(id));
        return inboundRules.order(tx, ctx, flags.site, ids);
      });
      showRules(flags, rows.map(presentRule));
    }),
  );
}

function addSwitch(group: Command, word: 'enable' | 'disable'): void {
  requireSite(addCommand(group, `${word} <id>`, `${word} a rule`, `helpdesk rule ${word} 7 --site web-shop`)).action(
    (id: string, flags: SiteFlags) =>
      withDesk(flags, async (opened) => {
        const change = { is_active: word === 'enable' };
        const { row } = await opened.write((tx, ctx) =>
          inboundRules.change(tx, ctx, flags.site, rowId(id), change, null),
        );
        showRule(flags, presentRule(row));
      }),
  );
}

function addRemove(group: Command): void {
  askBeforeRemoving(
    requireSite(addCommand(group, 'rm <id>', 'remove a rule', 'helpdesk rule rm 7 --site web-shop --yes')),
  ).action((id: string, flags: SiteFlags & { yes?: boolean }) =>
    withDesk(flags, async (opened) => {
      const { row } = opened.read((tx) => inboundRules.read(tx, opened.ctx(), flags.site, rowId(id)));
      confirmed(`Remove rule ${plain(row.name)}?`, flags.yes);
      await opened.write((tx, ctx) => {
        inboundRules.remove(tx, ctx, flags.site, row.id, null);
        return null;
      });
      show(flags, { json: { data: null }, text: () => `Rule ${plain(row.name)} was removed.` });
    }),
  );
}

function addTest(group: Command): void {
  requireSite(
    addCommand(
      group,
      'test',
      'read a message from standard input and show what the rules would do to it, and why',
      'helpdesk rule test --site web-shop < message.eml',
    ),
  ).action((flags: SiteFlags) => {
    const input = pipedMessage();
    return withDesk(flags, async (opened) => {
      opened.read((tx) => readSite(tx, opened.ctx(), flags.site));
      const raw = new Uint8Array(await new Response(input).arrayBuffer());
      const shown = presentPreview(await withMailroom(opened, (mailroom) => mailroom.preview(flags.site, raw)));
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

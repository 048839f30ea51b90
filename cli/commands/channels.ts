// helpdesk channel … and helpdesk rule …

import type { Command } from 'commander';
import { categories, priorities } from '../../src/desk/catalogue.ts';
import { addChannel, channels, rotateSigningSecret } from '../../src/desk/channels.ts';
import { inboundRules } from '../../src/desk/inbound/rules.ts';
import {
  listChannelDeliveries,
  readChannelDelivery,
  redeliver,
  redeliverFailed,
  testChannel,
} from '../../src/desk/outbox.ts';
import { listAssignableAgents } from '../../src/desk/people.ts';
import type { Context } from '../../src/desk/record.ts';
import { deliveryStatuses } from '../../src/domain/delivery.ts';
import { DeskError, invalid } from '../../src/domain/errors.ts';
import { channelChangeInput, channelInput, ruleInput } from '../../src/domain/input/channels.ts';
import { rotateInput } from '../../src/domain/input/sites.ts';
import { fit } from '../../src/domain/plain-text.ts';
import type { RuleSurroundings } from '../../src/domain/rules/rule.ts';
import { parseAction, parseCondition } from '../../src/domain/rules/text.ts';
import { presentChannel, presentRule } from '../../src/http/wire/present.ts';
import type { Tx } from '../../src/store/database.ts';
import { addCommand, addGroup, collect, given, list, show } from '../command.ts';
import {
  type CommonOptions,
  check,
  confirmed,
  howMany,
  momentOf,
  type Opened,
  UsageError,
  wholeNumber,
  withDesk,
} from '../opened-desk.ts';
import { bold, fields, plain, plainLines, table } from '../output/text.ts';
import { addRuleTest } from './mail.ts';
import { showable } from './outbox.ts';

type ChannelFlags = CommonOptions & {
  site: string;
  name?: string;
  type?: string;
  url?: string;
  events?: string;
  headerPrefix?: string;
  yes?: boolean;
};

const headerPrefixMeaning = 'what the headers of a custom channel begin with; X-Helpdesk by default';
const withSite = (command: Command) => command.requiredOption('--site <site>', 'id, ulid or slug');
const idOf = (text: string) => wholeNumber(text, 'The id');

/** The address guard's word on a URL, before anything is written; a sentence where a typing error is likely. */
async function requireAllowed(opened: Opened, url: string | undefined): Promise<string> {
  if (url === undefined) return '';
  const { checkDestination } = await import('../../src/net/guarded-fetch.ts');
  const { guardOf } = await import('../../src/outbox/setup.ts');
  const verdict = await checkDestination(url, guardOf(opened.config));
  if (verdict.kind === 'refused') throw invalid('webhook_url', `is refused: ${verdict.reason}.`);
  return verdict.kind === 'fine' ? '' : `\nNothing can be sent to ${new URL(url).hostname} now: ${verdict.reason}.`;
}

export function channelCommands(program: Command): void {
  const group = addGroup(
    program,
    'channel',
    'webhook channels: add, list, update, rotate, enable, disable, rm, test, deliveries, redeliver',
    'helpdesk channel list --site web-shop',
  );
  const columns = [
    'id',
    'name',
    'type',
    'webhook_url',
    'events',
    'is_active',
    'consecutive_failures',
    'disabled_reason',
  ] as const;
  const showRow = (flags: CommonOptions, row: Parameters<typeof presentChannel>[0], remark = '') => {
    const shown = presentChannel(row, true);
    show(flags, { json: { data: shown }, text: () => `${fields(shown)}${remark}` });
  };
  withSite(
    addCommand(
      group,
      'add',
      'add a channel; its signing secret is shown this once',
      'helpdesk channel add --site web-shop --name Team --type slack --url https://hooks.example.org/x --events ticket.created,ticket.replied',
    ),
  )
    .requiredOption('--name <name>')
    .requiredOption('--type <type>', 'slack, discord, teams or custom')
    .requiredOption('--url <url>')
    .requiredOption(
      '--events <list>',
      'ticket.created, ticket.replied, ticket.status_changed, ticket.assigned, ticket.sla_warning, ticket.sla_breached',
    )
    .option('--header-prefix <prefix>', headerPrefixMeaning)
    .action((flags: ChannelFlags) =>
      withDesk(flags, async (opened) => {
        const input = check(channelInput, {
          name: flags.name,
          type: flags.type,
          webhook_url: flags.url,
          events: list(flags.events),
          header_prefix: flags.headerPrefix,
        });
        const remark = await requireAllowed(opened, input.webhook_url);
        const { channel, signingSecret } = await opened.write((tx, ctx) => addChannel(tx, ctx, flags.site, input));
        show(flags, {
          json: {
            data: { ...presentChannel(channel, true), signing_secret: signingSecret },
            signing_secret: signingSecret,
          },
          text: () => `Channel ${channel.id} is there. Its signing secret, shown this once:\n${signingSecret}${remark}`,
        });
      }),
    );
  withSite(addCommand(group, 'list', 'list channels', 'helpdesk channel list --site web-shop')).action(
    (flags: ChannelFlags) =>
      withDesk(flags, (opened) => {
        const shown = opened
          .read((tx) => channels.list(tx, opened.ctx(), flags.site))
          .rows.map((row) => presentChannel(row, true));
        show(flags, {
          json: { data: shown },
          text: () =>
            table(
              columns,
              shown.map((row) => columns.map((column) => row[column])),
            ),
        });
      }),
  );
  withSite(
    addCommand(
      group,
      'update <id>',
      'change a channel',
      'helpdesk channel update 2 --site web-shop --events ticket.created',
    ),
  )
    .option('--name <name>')
    .option('--type <type>', 'slack, discord, teams or custom')
    .option('--url <url>')
    .option('--events <list>')
    .option('--header-prefix <prefix>', headerPrefixMeaning)
    .action((id: string, flags: ChannelFlags) =>
      withDesk(flags, async (opened) => {
        const input = check(
          channelChangeInput,
          given({
            name: flags.name,
            type: flags.type,
            webhook_url: flags.url,
            events: list(flags.events),
            header_prefix: flags.headerPrefix,
          }),
        );
        if (Object.keys(input).length === 0)
          throw new UsageError('Say what to change: --name, --type, --url, --events or --header-prefix.');
        const remark = await requireAllowed(opened, input.webhook_url);
        showRow(
          flags,
          (await opened.write((tx, ctx) => channels.change(tx, ctx, flags.site, idOf(id), input, null))).row,
          remark,
        );
      }),
    );
  withSite(
    addCommand(
      group,
      'rotate <id>',
      'a new signing secret, shown this once',
      'helpdesk channel rotate 2 --site web-shop --grace 60',
    ),
  )
    .option('--grace <minutes>', 'how long webhook-signature is made with the old one too', '0')
    .action((id: string, flags: ChannelFlags & { grace: string }) =>
      withDesk(flags, async (opened) => {
        const grace = check(rotateInput, { grace_minutes: wholeNumber(flags.grace, '--grace') }).grace_minutes ?? null;
        const { channel, signingSecret } = await opened.write((tx, ctx) =>
          rotateSigningSecret(tx, ctx, flags.site, idOf(id), grace),
        );
        show(flags, {
          json: {
            data: { ...presentChannel(channel, true), signing_secret: signingSecret },
            signing_secret: signingSecret,
          },
          text: () => `The new signing secret of channel ${channel.id}, shown this once:\n${signingSecret}`,
        });
      }),
    );
  for (const [word, isActive, meaning] of [
    ['enable', true, 'enable a channel; it catches up with what it missed'],
    ['disable', false, 'disable a channel; its events are held for seven days'],
  ] as const) {
    withSite(addCommand(group, `${word} <id>`, meaning, `helpdesk channel ${word} 2 --site web-shop`)).action(
      (id: string, flags: ChannelFlags) =>
        withDesk(flags, async (opened) => {
          showRow(
            flags,
            (
              await opened.write((tx, ctx) =>
                channels.change(tx, ctx, flags.site, idOf(id), { is_active: isActive }, null),
              )
            ).row,
          );
        }),
    );
  }
  withSite(addCommand(group, 'rm <id>', 'remove a channel with its log', 'helpdesk channel rm 2 --site web-shop --yes'))
    .option('--yes', 'do not ask')
    .action((id: string, flags: ChannelFlags) =>
      withDesk(flags, async (opened) => {
        const { row } = opened.read((tx) => channels.read(tx, opened.ctx(), flags.site, idOf(id)));
        confirmed(`Remove the channel ${plain(row.name)}?`, flags.yes);
        await opened.write((tx, ctx) => {
          channels.remove(tx, ctx, flags.site, row.id, null);
          return null;
        });
        show(flags, { json: { data: null }, text: () => `The channel ${plain(row.name)} is gone.` });
      }),
    );
  withSite(addCommand(group, 'test <id>', 'queue a test message', 'helpdesk channel test 2 --site web-shop')).action(
    (id: string, flags: ChannelFlags) =>
      withDesk(flags, async (opened) => {
        const shown = await showable(
          opened,
          await opened.write((tx, ctx) => testChannel(tx, ctx, flags.site, idOf(id))),
        );
        show(flags, {
          json: { data: shown },
          text: () =>
            `Test ${shown.ulid} is queued. A running desk sends it at once, else \`helpdesk outbox run\`; \`helpdesk channel deliveries\` tells what became of it.`,
        });
      }),
  );
  withSite(
    addCommand(
      group,
      'deliveries <id> [delivery]',
      'the delivery log, newest first; or one delivery with every try',
      'helpdesk channel deliveries 2 --site web-shop --status failed',
    ),
  )
    .option('--status <status>', 'queued, delivered or failed')
    .option('--limit <number>', 'how many', '50')
    .action((id: string, delivery: string | undefined, flags: ChannelFlags & { status?: string; limit: string }) =>
      withDesk(flags, async (opened) => {
        if (flags.status !== undefined && !(deliveryStatuses as readonly string[]).includes(flags.status))
          throw new UsageError(`--status takes ${deliveryStatuses.join(', ')}.`);
        const limit = howMany(flags.limit, '--limit');
        if (delivery !== undefined) {
          const shown = await showable(
            opened,
            opened.read((tx) => readChannelDelivery(tx, opened.ctx(), flags.site, idOf(id), delivery)),
          );
          show(flags, { json: { data: shown }, text: () => inFull(shown) });
          return;
        }
        const { rows, total } = opened.read((tx) =>
          listChannelDeliveries(tx, opened.ctx(), flags.site, idOf(id), flags.status ?? null, limit, 0),
        );
        const shown = await Promise.all(rows.map((row) => showable(opened, row)));
        show(flags, {
          json: { data: shown, meta: { total } },
          text: () =>
            table(
              ['id', 'event', 'status', 'tries', 'answer', 'took', 'error', 'created', 'next try'],
              shown.map((one) => [
                one.id,
                one.event,
                one.status,
                one.attempts.length,
                answerOf(one.attempts.at(-1), 40),
                tookOf(one.attempts.at(-1)),
                one.last_error,
                one.created_at,
                one.next_attempt_at,
              ]),
            ),
        });
      }),
    );
  withSite(
    addCommand(
      group,
      'redeliver <id> [delivery]',
      'send one delivery again, or all that failed in a stretch of time',
      'helpdesk channel redeliver 2 --site web-shop --since 2d',
    ),
  )
    .option('--since <when>', 'a time, or a span as 2d')
    .option('--until <when>', 'a time, or a span as 1h; now by default')
    .action((id: string, delivery: string | undefined, flags: ChannelFlags & { since?: string; until?: string }) =>
      withDesk(flags, async (opened) => {
        const { since } = flags;
        if ((delivery === undefined) === (since === undefined))
          throw new UsageError('Name either a delivery or --since.');
        if (delivery !== undefined) {
          if (flags.until !== undefined) throw new UsageError('--until goes with --since.');
          const logged = await opened.write((tx, ctx) => redeliver(tx, ctx, flags.site, idOf(id), delivery));
          const shown = await showable(opened, logged);
          show(flags, {
            json: { data: shown },
            text: () =>
              `Delivery ${shown.id} is queued again.${shown.event === 'channel.test' ? '' : whenHeld(opened, flags.site, idOf(id))}`,
          });
          return;
        }
        const from = momentOf(since ?? '', '--since', -1);
        const until = flags.until === undefined ? opened.ctx().now : momentOf(flags.until, '--until', -1);
        if (until < from) throw new UsageError('--until lies before --since: nothing is between them.');
        const total = await opened.write((tx, ctx) => redeliverFailed(tx, ctx, flags.site, idOf(id), from, until));
        show(flags, {
          json: { data: { requeued: total } },
          text: () =>
            `${total} ${total === 1 ? 'delivery is' : 'deliveries are'} queued again.${total === 0 ? '' : whenHeld(opened, flags.site, idOf(id))}`,
        });
      }),
    );
}

type Shown = Awaited<ReturnType<typeof showable>>;
type Attempt = Shown['attempts'][number];

function answerOf(attempt: Attempt | undefined, maxLength: number): string {
  const excerpt = plain(attempt?.response_excerpt ?? '').trim();
  return [attempt?.response_status ?? '', fit(excerpt, maxLength)].join(' ').trim();
}

const tookOf = (attempt: Attempt | undefined) => (attempt === undefined ? null : `${attempt.duration_ms} ms`);

/** A delivery with what it sends, and with each try and its whole answer. */
function inFull({ request, attempts, ...rest }: Shown): string {
  return [
    fields({ ...rest, url: request?.url, body: request?.body }),
    ...attempts.map((attempt, at) =>
      [
        `${bold(`try ${at + 1}`)}  ${attempt.at}  ${tookOf(attempt)}  ${attempt.error ?? attempt.response_status ?? 'no answer'}`,
        ...(attempt.response_excerpt === '' ? [] : [plainLines(attempt.response_excerpt)]),
      ].join('\n'),
    ),
  ].join('\n\n');
}

/** What is queued for a channel that is disabled waits, which whoever queues it wants to know. */
function whenHeld(opened: Opened, site: string, id: number): string {
  const { row } = opened.read((tx) => channels.read(tx, opened.ctx(), site, id));
  return row.isActive ? '' : ` The channel is disabled: it waits until \`helpdesk channel enable ${id}\`.`;
}

type RuleFlags = CommonOptions & {
  site: string;
  name?: string;
  if?: string[];
  then?: string[];
  any?: boolean;
  stop?: boolean;
  yes?: boolean;
};

function parsed<Value>(result: { value: Value; error: null } | { value: null; error: string }, flag: string): Value {
  if (result.error !== null) throw new UsageError(`${flag}: ${result.error}`);
  return result.value;
}

/** What a rule may name instead of counting; agents by their address too, since two may have one name. */
function surroundingsOf(tx: Tx, ctx: Context, site: string): RuleSurroundings {
  const agents = listAssignableAgents(tx, ctx, site).map(({ id, name, email }) => ({ id, name, slug: email }));
  return {
    categories: categories.list(tx, ctx, site).rows,
    priorities: priorities.list(tx, ctx, site).rows,
    agents,
    hasMembers: agents.length > 0,
  };
}

export function ruleCommands(program: Command): void {
  const group = addGroup(
    program,
    'rule',
    'inbound rules of a site: add, list, move, enable, disable, rm, test',
    'helpdesk rule list --site web-shop',
  );
  const columns = ['position', 'id', 'name', 'match', 'conditions', 'actions', 'stop', 'active'];
  const rowsOf = (rules: ReturnType<typeof presentRule>[]) =>
    rules.map((rule) => [
      rule.position,
      rule.id,
      rule.name,
      rule.match,
      rule.conditions.map(
        ({ field, operator, value, negate }) => `${negate ? 'not ' : ''}${field} ${operator} ${JSON.stringify(value)}`,
      ),
      rule.actions.map(({ type, value }) => `${type} ${JSON.stringify(value)}`),
      rule.stop_processing,
      rule.is_active,
    ]);
  const showRules = (flags: CommonOptions, rules: ReturnType<typeof presentRule>[]) =>
    show(flags, { json: { data: rules }, text: () => table(columns, rowsOf(rules)) });
  const showRule = (flags: CommonOptions, rule: ReturnType<typeof presentRule>) =>
    show(flags, { json: { data: rule }, text: () => table(columns, rowsOf([rule])) });
  withSite(
    addCommand(
      group,
      'add',
      'add a rule at the end',
      `helpdesk rule add --site web-shop --if 'subject contains invoice' --then 'add_tags billing' --stop`,
    ),
  )
    .option('--name <name>', 'made of its conditions by default')
    .option('--if <condition>', "'<field> [not] <operator> <value>', repeatable", collect)
    .requiredOption('--then <action>', "'<action> <value>', repeatable", collect)
    .option('--any', 'one condition is enough')
    .option('--stop', 'no rule after it runs when it matched')
    .action((flags: RuleFlags) =>
      withDesk(flags, async (opened) => {
        const surroundings = opened.read((tx) => surroundingsOf(tx, opened.ctx(), flags.site));
        const input = check(ruleInput, {
          name: flags.name ?? (flags.if?.join(flags.any ? ' or ' : ' and ') || 'every message').slice(0, 255),
          match: flags.any ? 'any' : 'all',
          conditions: (flags.if ?? []).map((text) => parsed(parseCondition(text, surroundings), '--if')),
          actions: (flags.then ?? []).map((text) => parsed(parseAction(text, surroundings), '--then')),
          stop_processing: flags.stop ?? false,
        });
        showRule(
          flags,
          presentRule((await opened.write((tx, ctx) => inboundRules.add(tx, ctx, flags.site, input))).row),
        );
      }),
    );
  withSite(
    addCommand(group, 'list', 'list rules in the order in which they run', 'helpdesk rule list --site web-shop'),
  ).action((flags: RuleFlags) =>
    withDesk(flags, (opened) =>
      showRules(flags, opened.read((tx) => inboundRules.list(tx, opened.ctx(), flags.site)).rows.map(presentRule)),
    ),
  );
  withSite(
    addCommand(
      group,
      'move <id> <position>',
      'move a rule to a place, 1 being the first',
      'helpdesk rule move 7 1 --site web-shop',
    ),
  ).action((id: string, position: string, flags: RuleFlags) =>
    withDesk(flags, async (opened) => {
      const { rows } = await opened.write((tx, ctx) => {
        const ids = inboundRules.list(tx, ctx, flags.site).rows.map((rule) => rule.id);
        const at = ids.indexOf(idOf(id));
        if (at < 0) throw new DeskError('not_found', 'No such inbound rule.');
        ids.splice(at, 1);
        ids.splice(Math.max(0, wholeNumber(position, 'The position') - 1), 0, idOf(id));
        return inboundRules.order(tx, ctx, flags.site, ids);
      });
      showRules(flags, rows.map(presentRule));
    }),
  );
  for (const [word, isActive] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    withSite(addCommand(group, `${word} <id>`, `${word} a rule`, `helpdesk rule ${word} 7 --site web-shop`)).action(
      (id: string, flags: RuleFlags) =>
        withDesk(flags, async (opened) => {
          showRule(
            flags,
            presentRule(
              (
                await opened.write((tx, ctx) =>
                  inboundRules.change(tx, ctx, flags.site, idOf(id), { is_active: isActive }, null),
                )
              ).row,
            ),
          );
        }),
    );
  }
  withSite(addCommand(group, 'rm <id>', 'remove a rule', 'helpdesk rule rm 7 --site web-shop --yes'))
    .option('--yes', 'do not ask')
    .action((id: string, flags: RuleFlags) =>
      withDesk(flags, async (opened) => {
        const { row } = opened.read((tx) => inboundRules.read(tx, opened.ctx(), flags.site, idOf(id)));
        confirmed(`Remove the rule ${plain(row.name)}?`, flags.yes);
        await opened.write((tx, ctx) => {
          inboundRules.remove(tx, ctx, flags.site, row.id, null);
          return null;
        });
        show(flags, { json: { data: null }, text: () => 'The rule is gone.' });
      }),
    );
  addRuleTest(group);
}

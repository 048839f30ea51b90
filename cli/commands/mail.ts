// helpdesk mail … and helpdesk rule test

import type { Command } from 'commander';
import * as z from 'zod';
import { createLog } from '../../src/base/log.ts';
import { listLedger, readLedger } from '../../src/desk/inbound/filing.ts';
import { readSite } from '../../src/desk/sites.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { ledgerFilters, presentLedgerRow, presentPreview } from '../../src/http/wire/inbound-mail.ts';
import { pageOf, pagingQuery } from '../../src/http/wire/queries.ts';
import { pageBody } from '../../src/http/wire/respond.ts';
import { createMailroom, fetchFromAmazon, type Mailroom } from '../../src/jobs/mailroom.ts';
import { createReader } from '../../src/reader/reader.ts';
import type { InboundMail } from '../../src/store/inbound.ts';
import { ticketById } from '../../src/store/tickets.ts';
import { addCommand, addGroup, given, list, show } from '../command.ts';
import {
  type CommonOptions,
  check,
  type Opened,
  TryAgainError,
  UsageError,
  wholeNumber,
  withDesk,
} from '../opened-desk.ts';
import { bold, dim, fields, plain, plainLines, table } from '../output/text.ts';

type MailFlags = CommonOptions & {
  site?: string;
  outcome?: string;
  page?: string;
  perPage?: string;
  sender?: string;
  recipient?: string;
  release?: boolean;
  forwardAgain?: boolean;
};
type Shown = ReturnType<typeof presentLedgerRow>;

/** Of commands that cannot do without a site. */
type SiteFlags = MailFlags & { site: string };

const ofAnySite = (command: Command) => command.option('--site <site>', 'of one site: id, ulid or slug');
const withSite = (command: Command) => command.requiredOption('--site <site>', 'id, ulid or slug');
const ledgerQuery = z.object({
  ...pagingQuery.shape,
  outcome: z.array(z.enum(ledgerFilters)).optional(),
});
const pageOfReplay = 100;

async function withMailroom<T>({ data }: Opened, act: (mailroom: Mailroom) => Promise<T>): Promise<T> {
  const { desk, blobs, mailBlobs } = data;
  // Standard output is the answer's alone.
  const log = await createLog('error', 'json');
  const reader = createReader({ log, most: 1 });
  try {
    return await act(
      createMailroom({ desk, blobs, mailBlobs, log, reader, fetchText: fetchFromAmazon, answerWithinMs: null }),
    );
  } finally {
    await reader.stop();
  }
}

function standardInput(): ReadableStream<Uint8Array> {
  if (process.stdin.isTTY === true) throw new UsageError('Pipe a message into this, as < message.eml.');
  return Bun.stdin.stream();
}

function presentRow(opened: Opened, row: InboundMail): Shown {
  const ticket = row.ticketId === null ? undefined : opened.read((tx) => ticketById(tx, row.ticketId ?? 0) ?? null);
  return presentLedgerRow(row, ticket?.ulid ?? null);
}

function ledger(opened: Opened, rows: readonly Shown[]): string {
  const slugs = new Map<number, string>();
  const slugOf = (siteId: number) => {
    const slug = slugs.get(siteId) ?? opened.read((tx) => readSite(tx, opened.ctx(), String(siteId))).slug;
    slugs.set(siteId, slug);
    return slug;
  };
  return table(
    ['id', 'site', 'received', 'outcome', 'from', 'subject', 'ticket', 'reason'],
    rows.map((row) => [
      row.id,
      slugOf(row.site_id),
      row.received_at,
      row.status === 'received' ? 'received' : row.outcome,
      row.sender,
      row.subject,
      row.ticket,
      row.reason,
    ]),
  );
}

/** A refusal that another try would meet again; everything else is the machine's trouble and passes. */
function isForGood(error: unknown): boolean {
  return error instanceof DeskError && error.code !== 'unavailable' && error.code !== 'rate_limited';
}

async function ingest(flags: SiteFlags): Promise<void> {
  const input = standardInput();
  try {
    await withDesk(flags, async (opened) => {
      const site = opened.read((tx) => readSite(tx, opened.ctx(), flags.site));
      const headers = {
        ...(flags.sender === undefined ? {} : { 'x-envelope-from': flags.sender }),
        ...(flags.recipient === undefined ? {} : { 'x-envelope-to': flags.recipient }),
      };
      const { row } = await withMailroom(opened, (mailroom) => mailroom.receive(site, 'raw', headers, input));
      const shown = presentRow(opened, row);
      show(flags, { json: { data: shown }, text: () => ledger(opened, [shown]) });
    });
  } catch (error) {
    throw isForGood(error) ? error : new TryAgainError(error);
  }
}

async function replay(ids: readonly string[], flags: MailFlags): Promise<void> {
  if (ids.length > 0 === (flags.outcome !== undefined))
    throw new UsageError('Name either rows of the ledger or --outcome.');
  await withDesk(flags, async (opened) => {
    const rows = ids.length > 0 ? ids.map((id) => wholeNumber(id, 'The id')) : idsWith(opened, flags);
    const shown: Shown[] = [];
    const release = { isReleased: flags.release ?? false, forwardsAgain: flags.forwardAgain ?? false };
    await withMailroom(opened, async (mailroom) => {
      for (const id of rows)
        shown.push(presentRow(opened, (await mailroom.replay(flags.site ?? null, id, release)).row));
    });
    show(flags, { json: { data: shown }, text: () => ledger(opened, shown) });
  });
}

/** All that have one of the outcomes, in the order in which they came: an answer must not be filed before its question. */
function idsWith(opened: Opened, flags: MailFlags): number[] {
  const { outcome = [] } = check(ledgerQuery, { outcome: list(flags.outcome) });
  const filed = outcome.filter((one) => one === 'ticket_created' || one === 'reply_added');
  if (filed.length > 0) throw new UsageError(`What is ${filed[0]} was filed already and is not replayed.`);
  const rows: InboundMail[] = [];
  for (let total = 1; rows.length < total; ) {
    const page = opened.read((tx) =>
      listLedger(tx, opened.ctx(), flags.site ?? null, outcome, pageOfReplay, rows.length),
    );
    if (page.rows.length === 0) break;
    rows.push(...page.rows);
    total = page.total;
  }
  return rows
    .filter(({ erasedAt }) => erasedAt === null)
    .map(({ id }) => id)
    .reverse();
}

export function mailCommands(program: Command): void {
  const group = addGroup(
    program,
    'mail',
    'mail that arrives: ingest, list, show, replay',
    'helpdesk mail list --outcome failed,held',
  );
  withSite(
    addCommand(
      group,
      'ingest',
      'take a message from standard input; exit code 75 asks the mail server to try again',
      'helpdesk mail ingest --site web-shop < message.eml',
    ),
  )
    .option('--sender <address>', 'the envelope sender, empty for the empty return path')
    .option('--recipient <address>', 'the envelope recipient')
    .action((flags: SiteFlags) => ingest(flags));
  ofAnySite(
    addCommand(
      group,
      'list',
      'the ledger of everything that arrived, newest first',
      'helpdesk mail list --outcome failed,held',
    ),
  )
    .option('--outcome <outcomes>', ledgerFilters.join(', '))
    .option('--page <number>')
    .option('--per-page <number>')
    .action((flags: MailFlags) =>
      withDesk(flags, (opened) => {
        const asked = check(
          ledgerQuery,
          given({ page: flags.page, per_page: flags.perPage, outcome: list(flags.outcome) }),
        );
        const page = pageOf(asked);
        const skipped = (page.page - 1) * page.perPage;
        const { rows, total } = opened.read((tx) =>
          listLedger(tx, opened.ctx(), flags.site ?? null, asked.outcome ?? [], page.perPage, skipped),
        );
        const shown = rows.map((row) => presentRow(opened, row));
        const of = flags.site === undefined ? '' : `/sites/${encodeURIComponent(flags.site)}`;
        const url = new URL(`/api/v1${of}/inbound-mail`, opened.baseUrl);
        if (asked.outcome) url.searchParams.set('outcome', asked.outcome.join(','));
        show(flags, {
          json: {
            ...pageBody(opened.baseUrl, url, shown, page, total),
            // The API has a ledger for each site, and none of all of them.
            ...(flags.site === undefined ? { links: { first: null, last: null, prev: null, next: null } } : {}),
          },
          text: () => {
            const rest = total > skipped + shown.length ? `\n${dim(`${total} in all; more with --page`)}` : '';
            return `${ledger(opened, shown)}${rest}`;
          },
        });
      }),
    );
  ofAnySite(
    addCommand(group, 'show <id>', 'one row of the ledger, with what each rule did', 'helpdesk mail show 7'),
  ).action((id: string, flags: MailFlags) =>
    withDesk(flags, (opened) => {
      const { row } = opened.read((tx) => readLedger(tx, opened.ctx(), flags.site ?? null, wholeNumber(id, 'The id')));
      const shown = presentRow(opened, row);
      show(flags, {
        json: { data: shown },
        text: () => {
          const { trace, matched_rules, ...rest } = shown;
          const entries = { ...rest, matched_rules: matched_rules.map(({ name }) => name) };
          return [fields(entries), ...trace.map(describeRule)].join('\n\n');
        },
      });
    }),
  );
  ofAnySite(
    addCommand(
      group,
      'replay [id...]',
      "run stored mail again through today's rules",
      'helpdesk mail replay --outcome failed,held',
    ),
  )
    .option('--outcome <outcomes>', 'all that have one of these outcomes')
    .option('--release', 'file also what was held: a sender that looks forged, too many from one address')
    .option('--forward-again', 'send it also to addresses that a rule forwarded it to before')
    .action((ids: string[], flags: MailFlags) => replay(ids, flags));
}

function describeRule({ id, name, outcome, explanation, conditions, actions }: Shown['trace'][number]): string {
  const lines = [
    // Of one the sentence above says it already.
    ...(conditions.length > 1 ? conditions.map((one) => `  ${one.holds ? '✓' : '✗'} ${plain(one.explanation)}`) : []),
    ...actions.map((one) => `  – ${plain(one.explanation)}`),
  ];
  return [bold(`Rule ${id} ${plain(name)}: ${outcome.replaceAll('_', ' ')}`), `  ${plain(explanation)}`, ...lines].join(
    '\n',
  );
}

/** `rule test`, beside the other rule commands. */
export function addRuleTest(group: Command): void {
  withSite(
    addCommand(
      group,
      'test',
      'what the rules would do to a message from standard input, and why',
      'helpdesk rule test --site web-shop < message.eml',
    ),
  ).action((flags: SiteFlags) => {
    const input = standardInput();
    return withDesk(flags, async (opened) => {
      opened.read((tx) => readSite(tx, opened.ctx(), flags.site));
      const raw = await new Response(input).bytes();
      const shown = presentPreview(await withMailroom(opened, (mailroom) => mailroom.preview(flags.site, raw)));
      show(flags, {
        json: { data: shown },
        text: () => {
          const whose = shown.ticket === null ? 'matches no ticket' : `belongs to ${shown.ticket.reference}`;
          const head = `It is ${shown.kind}, and ${whose}. Outcome: ${shown.outcome}. ${plain(shown.reason)}`;
          const rules = shown.rules.length === 0 ? ['The site has no rules.'] : shown.rules.map(describeRule);
          const effects = Object.entries(shown.effects).filter(
            ([, value]) => value !== null && !(typeof value === 'object' && Object.keys(value).length === 0),
          );
          const told = effects.map(([name, value]) => `  ${name}: ${plainLines(JSON.stringify(value))}`);
          return [head, ...rules, [bold('Together:'), ...(told.length === 0 ? ['  nothing'] : told)].join('\n')].join(
            '\n\n',
          );
        },
      });
    });
  });
}

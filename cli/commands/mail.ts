// helpdesk mail: inbound mail.

import type { Command } from 'commander';
import * as z from 'zod';
import { discardMail, listInboundLog, mostDecided, readInboundLog } from '../../src/desk/mail/log.ts';
import { traceMail } from '../../src/desk/mail/trace.ts';
import { readSite } from '../../src/desk/sites/sites.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { heldReasons } from '../../src/domain/mail/inbound.ts';
import { checksInWords } from '../../src/domain/mail/sender-checks.ts';
import { spamInWords } from '../../src/domain/mail/spam-check.ts';
import { traceQuery } from '../../src/http/api/mail/trace.ts';
import { heldFor, inboundLogFilters, presentInboundMail } from '../../src/http/wire/mail/inbound-mail.ts';
import { presentTrace } from '../../src/http/wire/mail/trace.ts';
import { pageOf, pagingQuery } from '../../src/http/wire/queries.ts';
import { pageBody } from '../../src/http/wire/respond.ts';
import type { InboundMail } from '../../src/store/mail/inbound.ts';
import { ticketById } from '../../src/store/tickets/tickets.ts';
import { addCommand, allowSite, type CommonOptions, requireSite, show } from '../command.ts';
import { TryAgainError, UsageError } from '../errors.ts';
import { check, confirmed, given, list, rowId } from '../flags.ts';
import { type Opened, withDesk } from '../opened-desk.ts';
import { pipedMessage, withMailroom } from '../opened-mailroom.ts';
import { describeRule } from '../output/rule-trace.ts';
import { bold, dim, fields, plain, table } from '../output/text.ts';

type Shown = ReturnType<typeof presentInboundMail>;
type LogFlags = CommonOptions & { site?: string; outcome?: string; heldFor?: string };

const logQuery = z.object({
  ...pagingQuery.shape,
  outcome: z.array(z.enum(inboundLogFilters)).optional(),
  held_for: z.array(heldFor).optional(),
});

const heldForWords = `held mail only, by why it waits; comma-separated: ${heldReasons.join(', ')}`;

export function mailCommands(program: Command): void {
  const group = addCommand(
    program,
    'mail',
    'mail: ingest, list, show, replay, discard, trace',
    'helpdesk mail list --outcome failed,held',
  );
  addIngest(group);
  addList(group);
  addShow(group);
  addReplay(group);
  addDiscard(group);
  addTrace(group);
}

function presentRow(opened: Opened, row: InboundMail): Shown {
  const ticket = row.ticketId === null ? undefined : opened.read((tx) => ticketById(tx, row.ticketId ?? 0) ?? null);
  return presentInboundMail(row, ticket?.ulid ?? null);
}

function logTable(opened: Opened, rows: readonly Shown[]): string {
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

type IngestFlags = CommonOptions & { site: string; sender?: string; recipient?: string };

function addIngest(group: Command): void {
  requireSite(
    addCommand(
      group,
      'ingest',
      'file a message from standard input; exit code 75 asks the mail server to try again later',
      'helpdesk mail ingest --site web-shop < message.eml',
    ),
  )
    .option('--sender <address>', 'envelope sender; empty for the null return path')
    .option('--recipient <address>', 'envelope recipient')
    .action(async (flags: IngestFlags) => {
      const input = pipedMessage();
      try {
        await withDesk(flags, async (opened) => {
          const site = opened.read((tx) => readSite(tx, opened.ctx(), flags.site));
          const headers = {
            ...(flags.sender === undefined ? {} : { 'x-envelope-from': flags.sender }),
            ...(flags.recipient === undefined ? {} : { 'x-envelope-to': flags.recipient }),
          };
          const { row } = await withMailroom(opened, (mailroom) => mailroom.receive(site, 'raw', headers, input));
          const shown = presentRow(opened, row);
          show(flags, { json: { data: shown }, text: () => logTable(opened, [shown]) });
        });
      } catch (error) {
        throw isFinal(error) ? error : new TryAgainError(error);
      }
    });
}

/** Whether another attempt would be refused again. Any other error is trouble of this machine and may pass. */
function isFinal(error: unknown): boolean {
  return error instanceof DeskError && error.code !== 'unavailable' && error.code !== 'rate_limited';
}

function addList(group: Command): void {
  allowSite(addCommand(group, 'list', 'list the inbound log, newest first', 'helpdesk mail list --outcome failed,held'))
    .option('--outcome <outcomes>', `comma-separated: ${inboundLogFilters.join(', ')}`)
    .option('--held-for <reasons>', heldForWords)
    .option('--page <number>', 'page to show (default: 1)')
    .option('--per-page <number>', 'rows on a page')
    .action((flags: LogFlags & { page?: string; perPage?: string }) =>
      withDesk(flags, (opened) => {
        const asked = check(
          logQuery,
          given({
            page: flags.page,
            per_page: flags.perPage,
            outcome: list(flags.outcome),
            held_for: list(flags.heldFor),
          }),
        );
        const page = pageOf(asked);
        const skipped = (page.page - 1) * page.perPage;
        const { rows, total } = opened.read((tx) =>
          listInboundLog(tx, opened.ctx(), flags.site ?? null, filterOf(asked), page.perPage, skipped),
        );
        const shown = rows.map((row) => presentRow(opened, row));
        const of = flags.site === undefined ? '' : `/sites/${encodeURIComponent(flags.site)}`;
        const url = new URL(`/api/v1${of}/inbound-mail`, opened.data.addresses.baseUrl);
        for (const [name, words] of Object.entries({ outcome: asked.outcome, held_for: asked.held_for }))
          if (words) url.searchParams.set(name, words.join(','));
        show(flags, {
          json: {
            ...pageBody(opened.data.addresses.baseUrl, url, shown, page, total),
            // The API has an inbound log for each site, but none for all sites together.
            ...(flags.site === undefined ? { links: { first: null, last: null, prev: null, next: null } } : {}),
          },
          text: () => {
            const rest = total > skipped + shown.length ? `\n${dim(`${total} in total; see more with --page`)}` : '';
            return `${logTable(opened, shown)}${rest}`;
          },
        });
      }),
    );
}

function addShow(group: Command): void {
  allowSite(
    addCommand(
      group,
      'show <id>',
      'show one message of the inbound log, and what each rule did',
      'helpdesk mail show 7',
    ),
  ).action((id: string, flags: LogFlags) =>
    withDesk(flags, (opened) => {
      const { row } = opened.read((tx) => readInboundLog(tx, opened.ctx(), flags.site ?? null, rowId(id)));
      const shown = presentRow(opened, row);
      show(flags, {
        json: { data: shown },
        text: () => {
          const { trace, matched_rules, form, sender_checks: checks, spam_check: spam, ...rest } = shown;
          const sender_checks = checks && `${checks.verdict}: ${checksInWords(checks)}`;
          const entries = {
            ...rest,
            sender_checks,
            spam_check: spam && spamInWords(spam),
            ...form,
            matched_rules: matched_rules.map(({ name }) => name),
          };
          return [fields(entries), ...trace.map(describeRule)].join('\n\n');
        },
      });
    }),
  );
}

type ReplayFlags = LogFlags & { yes?: boolean; release?: boolean; forwardAgain?: boolean };

function addReplay(group: Command): void {
  allowSite(
    addCommand(
      group,
      'replay [id...]',
      "file stored mail again with today's rules",
      'helpdesk mail replay --outcome failed,held',
    ),
  )
    .option('--outcome <outcomes>', 'all mail with one of these outcomes, comma-separated')
    .option('--held-for <reasons>', heldForWords)
    .option('--yes', 'do not ask before all mail of --held-for is filed')
    .option('--release', 'also file mail that is held because its sender looks forged or sends too much')
    .option('--forward-again', 'forward again to addresses that already received the message')
    .action((ids: string[], flags: ReplayFlags) => replay(ids, flags));
}

async function replay(ids: readonly string[], flags: ReplayFlags): Promise<void> {
  requireChoice(ids, flags);
  await withDesk(flags, async (opened) => {
    const rows = chosen(opened, ids, flags);
    if (flags.heldFor !== undefined) confirmed(`File ${rows.length} held mails again?`, flags.yes);
    const shown: Shown[] = [];
    const release = { isReleased: flags.release ?? false, forwardsAgain: flags.forwardAgain ?? false };
    await withMailroom(opened, async (mailroom) => {
      for (const id of rows)
        shown.push(presentRow(opened, (await mailroom.replay(flags.site ?? null, id, release)).row));
    });
    show(flags, { json: { data: shown }, text: () => logTable(opened, shown) });
  });
}

function addDiscard(group: Command): void {
  allowSite(
    addCommand(
      group,
      'discard [id...]',
      'discard mail that was held or failed',
      'helpdesk mail discard --site web-shop --held-for spam',
    ),
  )
    .option('--held-for <reasons>', heldForWords)
    .option('--yes', 'do not ask before all mail of --held-for is discarded')
    .action((ids: string[], flags: ReplayFlags) => {
      requireChoice(ids, flags);
      return withDesk(flags, async (opened) => {
        const rows = chosen(opened, ids, flags);
        if (flags.heldFor !== undefined) confirmed(`Discard ${rows.length} held mails?`, flags.yes);
        const shown: Shown[] = [];
        for (let at = 0; at < rows.length; at += mostDecided)
          shown.push(
            ...(await opened.write((tx, ctx) =>
              rows
                .slice(at, at + mostDecided)
                .map((id) => presentRow(opened, discardMail(tx, ctx, flags.site ?? null, id))),
            )),
          );
        show(flags, { json: { data: shown }, text: () => logTable(opened, shown) });
      });
    });
}

function addTrace(group: Command): void {
  allowSite(
    addCommand(
      group,
      'trace <text>',
      'show what became of mail, found by an address, a Message-ID or a part of the subject',
      'helpdesk mail trace mia@example.org',
    ),
  ).action((text: string, flags: LogFlags) =>
    withDesk(flags, (opened) => {
      const { q, site } = check(traceQuery, given({ q: text, site: flags.site }));
      const { mails, isCut } = opened.read((tx) => traceMail(tx, opened.ctx(), site ?? null, q));
      const shown = mails.map(presentTrace);
      show(flags, {
        json: { data: shown, meta: { is_cut: isCut } },
        text: () => {
          if (shown.length === 0) return 'None.';
          const rest = isCut ? [dim('There may be more: be more precise.')] : [];
          return [...shown.map(tracedMail), ...rest].join('\n\n');
        },
      });
    }),
  );
}

function tracedMail({ direction, kind, from, to, subject, ticket, steps }: ReturnType<typeof presentTrace>): string {
  const who = direction === 'in' ? `from ${from ?? 'no one'}` : `to ${to ?? 'no one'}`;
  const heading = bold(
    plain(`${direction} (${kind}) ${who}: ${subject ?? ''}${ticket === null ? '' : ` [${ticket}]`}`),
  );
  return [
    heading,
    ...steps.map((step) => plain(`  ${step.at}  ${step.kind.padEnd(14)}  ${step.detail ?? ''}`).trimEnd()),
  ].join('\n');
}

function requireChoice(ids: readonly string[], { outcome, heldFor }: LogFlags): void {
  const isByFilter = outcome !== undefined || heldFor !== undefined;
  if (ids.length > 0 === isByFilter)
    throw new UsageError('Name either ids of the inbound log, or which mail is meant with --outcome or --held-for.');
}

const chosen = (opened: Opened, ids: readonly string[], flags: LogFlags) =>
  ids.length > 0 ? ids.map(rowId) : idsWith(opened, flags);

const filterOf = ({ outcome = [], held_for: heldFor = [] }: z.output<typeof logQuery>) => ({
  outcomes: outcome,
  heldFor,
});

const readAtOnce = 100;

/** Oldest first, so that a reply is filed after the message that it answers. */
function idsWith(opened: Opened, flags: LogFlags): number[] {
  const filter = filterOf(check(logQuery, given({ outcome: list(flags.outcome), held_for: list(flags.heldFor) })));
  const filed = filter.outcomes.filter((one) => one === 'ticket_created' || one === 'reply_added');
  if (filed.length > 0)
    throw new UsageError(`Mail with the outcome ${filed[0]} is already filed and cannot be replayed.`);
  const rows: InboundMail[] = [];
  for (let total = 1; rows.length < total; ) {
    const page = opened.read((tx) =>
      listInboundLog(tx, opened.ctx(), flags.site ?? null, filter, readAtOnce, rows.length),
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

// helpdesk report: the numbers of the desk, and the tickets behind them.

import type { readMailReport, readReport } from '../../src/http/wire/reports/reports.ts';
import type { presentSavedReport } from '../../src/http/wire/reports/saved-reports.ts';
import { UsageError } from '../errors.ts';
import { operationGroup } from '../operation-command.ts';
import { dim, plain, table } from '../output/text.ts';
import { ticketColumns } from './tickets.ts';

type Report = Awaited<ReturnType<typeof readReport>> | Awaited<ReturnType<typeof readMailReport>>;
type SavedReport = ReturnType<typeof presentSavedReport>;
type Numbers = Readonly<Record<string, number | null>>;

export const reportCommands = operationGroup('report', 'reports', 'helpdesk report show overview', [
  {
    usage: 'show <name>',
    does: 'print a report: overview, response, resolution, sla, load, agents, categories, satisfaction or mail',
    example: 'helpdesk report show response --from 2026-10-01 --to 2026-10-31 --group-by week --csv > response.csv',
    operation: 'reports/readReport',
    without: ['format'],
    own: (command) => command.option('--csv', 'print CSV'),
    query({ flags }) {
      if (flags.csv && flags.json) throw new UsageError('Choose --csv or --json, not both.');
      return { format: flags.csv && 'csv' };
    },
    print({ data, meta }: Report) {
      const line = (label: string, cells: object) => [
        label,
        ...meta.metrics.map((name) => shown((cells as Record<string, Numbers | undefined>)[name])),
      ];
      const rows = data.rows.map((row) => line(row.label ?? '(none)', row));
      const about = `${meta.from} to ${meta.to}, ${meta.time_zone}, ${meta.time} time. Durations: median / 90th percentile (n) in minutes.`;
      return `${table([meta.group_by ?? 'group', ...meta.metrics], [...rows, line('total', data.total)])}\n${dim(about)}`;
    },
  },
  {
    usage: 'tickets <name>',
    does: 'list the tickets behind a number of a report',
    example: 'helpdesk report tickets overview --metric resolved --group 2026-11-20',
    operation: 'reports/listReportTickets',
    columns: ticketColumns,
  },
  {
    usage: 'saved',
    does: 'list the saved reports that are shared',
    example: 'helpdesk report saved',
    operation: 'saved-reports/listSavedReports',
    print: ({ data }: { data: SavedReport[] }) =>
      table(
        ['id', 'name', 'report', 'query', 'next mail', 'to agents'],
        data.map(({ id, name, report, query, schedule }) => [
          ...[id, name, report, JSON.stringify(query)],
          ...(schedule === null ? ['', ''] : [schedule.next_at, schedule.agent_ids.join(', ')]),
        ]),
      ),
  },
  {
    usage: 'save',
    does: 'save a report that everyone sees, each with the numbers of their own sites',
    example: `helpdesk report save --name "Response times" --report response --query '{"group_by":"week"}'`,
    operation: 'saved-reports/createSavedReport',
    without: ['is_shared', 'schedule'],
    meanings: { name: 'what agents read' },
    own: (command) => command.option('--query <json>', 'names and values of the query of the report, as JSON'),
    body: ({ flags }) => ({ query: flags.query === undefined ? undefined : parsed(flags.query) }),
    print: ({ data }: { data: SavedReport }) => `Report ${data.id}, ${plain(data.name)}, is saved.`,
  },
  {
    usage: 'schedule <id>',
    does: 'mail a saved report to agents every week or month',
    example:
      'helpdesk report schedule 3 --every week --weekday mon --at 08:00 --time-zone Europe/Amsterdam --agents 1,2',
    operation: 'saved-reports/updateSavedReport',
    only: ['schedule', 'every', 'weekday', 'day', 'at', 'time_zone', 'agent_ids'],
    meanings: { at: 'time of the day', every: 'how often', time_zone: 'by whose clock, such as Europe/Amsterdam' },
    print: ({ data }: { data: SavedReport }) =>
      `Report ${data.id}, ${plain(data.name)}, is mailed next at ${data.schedule?.next_at}.`,
  },
  {
    usage: 'unschedule <id>',
    does: 'stop mailing a saved report',
    example: 'helpdesk report unschedule 3',
    operation: 'saved-reports/updateSavedReport',
    only: [],
    body: () => ({ schedule: null }),
    print: ({ data }: { data: SavedReport }) => `Report ${data.id}, ${plain(data.name)}, is not mailed.`,
  },
  {
    usage: 'delete <id>',
    does: 'delete a saved report',
    example: 'helpdesk report delete 3 --yes',
    operation: 'saved-reports/deleteSavedReport',
    question: ({ words }) => `Delete the saved report ${words.id}?`,
    print: (_answer, { words }) => `The saved report ${words.id} is deleted.`,
  },
  {
    usage: 'boards',
    does: 'list the links to the live board',
    example: 'helpdesk report boards',
    operation: 'board/listBoardLinks',
    columns: ['id', 'name', 'sites=site_ids', 'made by=made_by', 'open=is_open', 'created=created_at'],
  },
  {
    usage: 'board',
    does: 'make a link to the live board, for a screen on the wall',
    example: 'helpdesk report board --name Kitchen --sites 1,2',
    operation: 'board/createBoardLink',
    meanings: { name: 'where it hangs' },
    print: ({ url }: { url: string }) => `Everyone who has this link sees the board. It is shown only now:\n${url}`,
  },
  {
    usage: 'revoke-board <id>',
    does: 'revoke a link to the live board',
    example: 'helpdesk report revoke-board 2 --yes',
    operation: 'board/revokeBoardLink',
    question: ({ words }) => `Close the link ${words.id} to the board?`,
    print: (_answer, { words }) => `The link ${words.id} is closed.`,
  },
]);

function parsed(query: string): unknown {
  try {
    return JSON.parse(query);
  } catch {
    // The parser's own words would not name the flag.
    throw new UsageError('--query must be JSON, such as {"group_by":"week"}.');
  }
}

function shown(cell: Numbers | undefined): string {
  if (cell === undefined) return '';
  const { n = 0, of, share, median_minutes: median, p90_minutes: p90 } = cell;
  if (share !== undefined) return share === null ? '–' : `${Math.round(share * 1000) / 10} % (${n} of ${of})`;
  if (median !== undefined) return n === 0 ? '–' : `${median} / ${p90} (${n})`;
  return String(cell.median === undefined ? n : `${cell.median ?? '–'} / ${cell.p90 ?? '–'} (${n})`);
}

// Reports, and the tickets behind each of their numbers (docs/spec/reports.md).

import { DeskError, notFound } from '../../../domain/errors.ts';
import { mailReport, reportNames } from '../../../domain/reports/metrics.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import {
  readMailReport,
  readReport,
  reportAnswerQuery,
  reportCsv,
  reportShape,
  reportTickets,
  reportTicketsQuery,
} from '../../wire/reports/reports.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { ticketShape } from '../../wire/tickets/ticket.ts';

const reading = { tag: 'Reports', access: 'team', ability: 'read' } as const;
const csvType = 'text/csv';

function nameOf({ params }: Call) {
  const name = reportNames.find((one) => one === params.name);
  if (name === undefined) throw notFound('report');
  return name;
}

export const reportOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/reports/{name}',
    id: 'readReport',
    ...reading,
    summary: 'Read a report',
    description: `One of ${[...reportNames, mailReport].join(', ')}. Medians and 90th percentiles are exact, by nearest rank. Filters are those of the list of tickets. With Accept: text/csv or format=csv the answer is CSV, with the total as its last line.`,
    query: reportAnswerQuery,
    answer: answered(200, 'The report', reportShape, { orText: csvType }),
    errors: [404],
    async handle(call) {
      const { edge, ctx, params, query } = call;
      const report =
        params.name === mailReport
          ? await readMailReport(edge.desk, ctx, query)
          : await readReport(edge.desk, ctx, nameOf(call), query);
      const { format } = call.query;
      if (format !== 'csv' && (format !== undefined || !call.header('accept')?.includes(csvType)))
        return jsonReply(200, report);
      return new Response(call.request.method === 'HEAD' ? null : reportCsv(report), {
        headers: {
          'Content-Type': `${csvType}; charset=utf-8; header=present`,
          'Content-Disposition': `attachment; filename="${report.meta.report}.csv"`,
          'Cache-Control': 'no-store',
        },
      });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/reports/{name}/tickets',
    id: 'listReportTickets',
    ...reading,
    summary: 'List the tickets behind a number of a report',
    description:
      'With the same query as the report, the metric, and the group of its row. A ticket that counts several times is listed once.',
    query: reportTicketsQuery,
    answer: answered(200, 'One page, newest first', shapes.page(ticketShape)),
    errors: [404],
    async handle(call) {
      const { edge, ctx, query, url } = call;
      if (call.params.name === mailReport)
        throw new DeskError('malformed', 'The report mail counts mail: there are no tickets behind its numbers.');
      return jsonReply(200, await reportTickets(edge.desk, edge.baseUrl, ctx, nameOf(call), query, url));
    },
  }),
];

// The audit log (docs/spec/people.md#audit-log).

import { answered, type Call, type Operation, operation } from '../operation.ts';
import { isStillWelcome } from '../streams/open-stream.ts';
import { auditCsv, auditPageShape, auditQuery, listAudit } from '../wire/audit.ts';
import { jsonReply } from '../wire/respond.ts';

const csvType = 'text/csv';

function streamed(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await parts.return(undefined);
      },
    },
    new CountQueuingStrategy({ highWaterMark: 1 }),
  );
}

function csvResponse(call: Call, parts: AsyncGenerator<string>): Response {
  return new Response(call.request.method === 'HEAD' ? null : streamed(parts), {
    headers: {
      'Content-Type': `${csvType}; charset=utf-8; header=present`,
      'Content-Disposition': 'attachment; filename="audit.csv"',
      'Cache-Control': 'no-store',
    },
  });
}

export const auditOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/audit',
    id: 'listAudit',
    tag: 'Audit',
    summary: 'List the audit log',
    description:
      'Newest first. Owners get all rows; others with the ability to manage get the rows of their sites. With Accept: text/csv or format=csv the answer is all rows as CSV, without pages.',
    access: 'team',
    ability: 'manage',
    query: auditQuery,
    answer: answered(200, 'One page', auditPageShape, { orText: csvType }),
    errors: [404],
    async handle(call) {
      const { edge, ctx, query, url } = call;
      const isCsv = query.format === 'csv' || (query.format === undefined && call.header('accept')?.includes(csvType));
      if (isCsv)
        return csvResponse(
          call,
          // The command line has no credential that could end.
          auditCsv(edge.desk, ctx, query, () => call.actor.kind === 'command_line' || isStillWelcome(call)),
        );
      return jsonReply(200, await listAudit(edge.desk, edge.baseUrl, ctx, query, url));
    },
  }),
];

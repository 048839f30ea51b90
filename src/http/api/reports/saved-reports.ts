// Saved reports (docs/spec/reports.md#saved-reports).

import * as z from 'zod';
import {
  changeSavedReport,
  createSavedReport,
  listSavedReports,
  removeSavedReport,
} from '../../../desk/reports/saved-reports.ts';
import { savedReportChangeInput, savedReportInput } from '../../../domain/input/reports.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { presentSavedReport, queryOfReport, savedReportShape } from '../../wire/reports/saved-reports.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { idOf } from '../parameters.ts';

const reading = { tag: 'Reports', access: 'team', ability: 'read' } as const;
const reportId = (call: Call) => idOf(call, 'report');

export const savedReportOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/reports/saved',
    id: 'listSavedReports',
    ...reading,
    summary: 'List saved reports',
    description:
      'Your own and the shared ones, by name. A saved report holds no numbers: who opens it sees those of their own sites.',
    answer: answered(200, 'All of them', z.object({ data: z.array(savedReportShape) })),
    read: (tx, call) =>
      jsonReply(200, {
        data: listSavedReports(tx, call.ctx).map((report) => presentSavedReport(report, tx, call.ctx)),
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/reports/saved',
    id: 'createSavedReport',
    ...reading,
    summary: 'Save a report',
    description:
      'Private unless is_shared is true, which needs the ability to write. The reports of tokens are always shared. Only a shared report can be mailed to others than its agent.',
    body: savedReportInput,
    answer: answered(201, 'The saved report', z.object({ message: z.string(), data: savedReportShape })),
    errors: [403, 404],
    handle: (call) => {
      queryOfReport(call.body.query ?? {});
      return call.commit((tx) => {
        const report = createSavedReport(tx, call.ctx, call.body);
        return jsonReply(201, { message: 'Report saved.', data: presentSavedReport(report, tx, call.ctx) });
      });
    },
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/reports/saved/{id}',
    id: 'updateSavedReport',
    ...reading,
    summary: 'Update a saved report',
    description: 'Your own; shared ones with the ability to manage. A schedule is replaced whole.',
    body: savedReportChangeInput,
    answer: answered(200, 'The updated report', shapes.one(savedReportShape)),
    errors: [403, 404],
    handle: (call) => {
      if (call.body.query !== undefined) queryOfReport(call.body.query);
      return call.commit((tx) => {
        const report = changeSavedReport(tx, call.ctx, reportId(call), call.body);
        return jsonReply(200, { data: presentSavedReport(report, tx, call.ctx) });
      });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/reports/saved/{id}',
    id: 'deleteSavedReport',
    ...reading,
    summary: 'Delete a saved report',
    description: 'Your own; shared ones with the ability to manage.',
    answer: answered(204, 'Deleted', null),
    errors: [403, 404],
    write(tx, call) {
      removeSavedReport(tx, call.ctx, reportId(call));
      return emptyReply(204);
    },
  }),
];

// Answers that list rows: one page, or all of a short list.

import type * as z from 'zod';
import type { Call } from '../operation.ts';
import { pageOrWhole, type pagingQuery } from '../wire/queries.ts';
import { jsonReply, type Page, pageBody, type Reply } from '../wire/respond.ts';

export const wholeOrPage = 'The whole list in its order, up to 1,000 rows. Send page or per_page to get one page.';

export function pageReply(call: Call, data: readonly unknown[], page: Page, total: number): Reply {
  return jsonReply(200, pageBody(call.edge.baseUrl, call.url, data, page, total));
}

export function shortListReply<Row>(
  call: Call<z.output<typeof pagingQuery>>,
  rows: readonly Row[],
  present: (row: Row) => unknown,
): Reply {
  const page = pageOrWhole(call.query);
  const from = (page.page - 1) * page.perPage;
  return pageReply(call, rows.slice(from, from + page.perPage).map(present), page, rows.length);
}

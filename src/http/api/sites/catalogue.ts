// What every noun of a site's catalogue has in common: the operations of a noun, and their order (docs/spec/api.md#sites).

import * as z from 'zod';
import { type Catalogue, rowEtag } from '../../../desk/sites/catalogue/verbs.ts';
import { orderInput } from '../../../domain/input/sites.ts';
import type { Tx } from '../../../engine/database.ts';
import type { Site } from '../../../store/sites/sites.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import type { Tag } from '../../wire/api-guide.ts';
import { pagingQuery } from '../../wire/queries.ts';
import { jsonReply } from '../../wire/respond.ts';
import { visible } from '../../write-only-answer.ts';
import { nounOperations } from '../noun.ts';
import { siteName } from '../parameters.ts';

interface CatalogueRoutes<Row, Input, Change> {
  path: string;
  tag: Tag;
  one: string;
  many: string;
  verbs: Catalogue<Row, Input, Change>;
  input: z.ZodType<Input>;
  change: z.ZodType<Change>;
  shape: z.ZodType;
  addedShape?: z.ZodType;
  present(row: Row, site: Site, call: Call, tx: Tx): Record<string, unknown>;
  add?(call: Call<unknown, Input>): ReturnType<Operation['handle']>;
  before?(call: Call<unknown, Input | Change>): Promise<void>;
}

export function catalogueOperations<Row extends { id: number; version: number }, Input, Change>({
  verbs,
  present,
  add,
  path,
  ...routes
}: CatalogueRoutes<Row, Input, Change>): Operation[] {
  const { tag, many, shape } = routes;
  const { noun } = verbs;
  return nounOperations({
    ...routes,
    path: `sites/{site}/${path}`,
    noun,
    ability: 'manage',
    errors: { create: [404, 409], update: [404, 409, 412], remove: [404, 409, 412] },
    verb: 'Delete',
    query: pagingQuery,
    etag: ({ row }) => rowEtag(noun, row),
    present: ({ row, site }, call, tx) => present(row, site, call, tx),
    list(tx, call) {
      const { site, rows } = verbs.list(tx, call.ctx, siteName(call));
      return rows.map((row) => ({ site, row }));
    },
    read: (tx, call, id) => verbs.read(tx, call.ctx, siteName(call), id),
    add: (tx, call) => verbs.add(tx, call.ctx, siteName(call), call.body),
    update: (tx, call, id) => verbs.change(tx, call.ctx, siteName(call), id, call.body, call.ifMatch),
    remove: (tx, call, id) => verbs.remove(tx, call.ctx, siteName(call), id, call.ifMatch),
    ...(add === undefined ? {} : { create: add }),
    further: [
      operation({
        method: 'PATCH',
        path: `/api/v1/sites/{site}/${path}/order`,
        id: `order${many}`,
        tag,
        summary: `Reorder ${path.replaceAll('-', ' ')}`,
        access: 'team',
        ability: 'manage',
        isShortWithoutRead: true,
        body: orderInput,
        answer: answered(200, 'The whole list in its new order', z.object({ data: z.array(shape) })),
        errors: [404, 412],
        write(tx, call) {
          const { site, rows } = verbs.order(tx, call.ctx, siteName(call), call.body);
          return jsonReply(200, { data: rows.map((row) => visible(call, present(row, site, call, tx))) });
        },
      }),
    ],
  });
}

// What every noun of a site's catalogue has in common: six operations (docs/spec/api.md#sites).

import * as z from 'zod';
import { type Catalogue, rowEtag } from '../../../desk/sites/catalogue/verbs.ts';
import { orderInput } from '../../../domain/input/sites.ts';
import type { Tx } from '../../../engine/database.ts';
import type { Site } from '../../../store/sites/sites.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import type { Tag } from '../../wire/api-guide.ts';
import { pagingQuery } from '../../wire/queries.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { taggedReply, visible } from '../../write-only-answer.ts';
import { shortListReply, wholeOrPage } from '../lists.ts';
import { idOf, siteName } from '../parameters.ts';

const managing = { access: 'team', ability: 'manage' } as const;

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

export function catalogueOperations<Row extends { id: number; version: number }, Input, Change>(
  routes: CatalogueRoutes<Row, Input, Change>,
): Operation[] {
  const { verbs, tag, one, many, shape, present } = routes;
  const anItem = `${/^[aeiou]/.test(verbs.noun) ? 'an' : 'a'} ${verbs.noun}`;
  const items = routes.path.replaceAll('-', ' ');
  const base = `/api/v1/sites/{site}/${routes.path}`;
  const rowId = (call: Call) => idOf(call, verbs.noun);
  const answer = (call: Call, tx: Tx, status: number, { site, row }: { site: Site; row: Row }) =>
    taggedReply(call, status, { data: visible(call, present(row, site, call, tx)) }, rowEtag(verbs.noun, row));
  return [
    operation({
      method: 'GET',
      path: base,
      id: `list${many}`,
      tag,
      summary: `List ${items}`,
      access: 'team',
      ability: 'read',
      query: pagingQuery,
      answer: answered(200, wholeOrPage, shapes.page(shape)),
      errors: [404],
      read(tx, call) {
        const { site, rows } = verbs.list(tx, call.ctx, siteName(call));
        return shortListReply(call, rows, (row) => present(row, site, call, tx));
      },
    }),
    operation({
      method: 'POST',
      path: base,
      id: `create${one}`,
      tag,
      summary: `Add ${anItem}`,
      ...managing,
      isShortWithoutRead: true,
      body: routes.input,
      answer: answered(201, `The ${verbs.noun}`, routes.addedShape ?? shapes.one(shape)),
      errors: [404, 409],
      async handle(call) {
        await routes.before?.(call);
        if (routes.add) return routes.add(call);
        return call.commit((tx) => answer(call, tx, 201, verbs.add(tx, call.ctx, siteName(call), call.body)));
      },
    }),
    operation({
      method: 'PATCH',
      path: `${base}/order`,
      id: `order${many}`,
      tag,
      summary: `Reorder ${items}`,
      ...managing,
      isShortWithoutRead: true,
      body: orderInput,
      answer: answered(200, 'The whole list in its new order', z.object({ data: z.array(shape) })),
      errors: [404],
      write(tx, call) {
        const { site, rows } = verbs.order(tx, call.ctx, siteName(call), call.body.ids);
        return jsonReply(200, { data: rows.map((row) => visible(call, present(row, site, call, tx))) });
      },
    }),
    operation({
      method: 'GET',
      path: `${base}/{id}`,
      id: `read${one}`,
      tag,
      summary: `Read ${anItem}`,
      access: 'team',
      ability: 'read',
      hasEtag: true,
      answer: answered(200, `The ${verbs.noun}`, shapes.one(shape)),
      errors: [404],
      read: (tx, call) => answer(call, tx, 200, verbs.read(tx, call.ctx, siteName(call), rowId(call))),
    }),
    operation({
      method: 'PATCH',
      path: `${base}/{id}`,
      id: `update${one}`,
      tag,
      summary: `Update ${anItem}`,
      ...managing,
      isShortWithoutRead: true,
      hasEtag: true,
      body: routes.change,
      answer: answered(200, `The updated ${verbs.noun}`, shapes.one(shape)),
      errors: [404, 409, 412],
      async handle(call) {
        await routes.before?.(call);
        return call.commit((tx) =>
          answer(call, tx, 200, verbs.change(tx, call.ctx, siteName(call), rowId(call), call.body, call.ifMatch)),
        );
      },
    }),
    operation({
      method: 'DELETE',
      path: `${base}/{id}`,
      id: `delete${one}`,
      tag,
      summary: `Delete ${anItem}`,
      ...managing,
      hasEtag: true,
      answer: answered(204, 'Deleted', null),
      errors: [404, 409, 412],
      write(tx, call) {
        verbs.remove(tx, call.ctx, siteName(call), rowId(call), call.ifMatch);
        return emptyReply(204);
      },
    }),
  ];
}

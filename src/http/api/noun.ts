// What every noun has in common: five operations.

import * as z from 'zod';
import type { SharedNoun } from '../../desk/shared-nouns.ts';
import type { Ability } from '../../domain/actor.ts';
import type { Tx } from '../../engine/database.ts';
import { answered, type Call, type Operation, operation } from '../operation.ts';
import type { Tag } from '../wire/api-guide.ts';
import * as query from '../wire/queries.ts';
import { emptyReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { taggedReply, visible } from '../write-only-answer.ts';
import { shortListReply, wholeOrPage } from './lists.ts';
import { idOf } from './parameters.ts';

interface NounRoutes<Row, Query extends typeof query.pagingQuery, Input, Change> {
  /** Such as `macros`. */
  path: string;
  tag: Tag;
  noun: string;
  /** In the names of operations. */
  one: string;
  many: string;
  /** Of who adds, changes and removes them. */
  ability: Ability;
  /** Describes the operations whose summary does not say all. */
  told?: Partial<Record<'list' | 'create' | 'update' | 'remove', string>>;
  errors: Readonly<Record<'create' | 'update' | 'remove', readonly number[]>>;
  verb: 'Delete' | 'Remove';
  query: Query;
  input: z.ZodType<Input>;
  change: z.ZodType<Change>;
  shape: z.ZodType;
  addedShape?: z.ZodType;
  etag(row: Row): string;
  present(row: Row, call: Call, tx: Tx): Record<string, unknown>;
  list(tx: Tx, call: Call<z.output<Query>>): readonly Row[];
  read(tx: Tx, call: Call, id: number): Row;
  add(tx: Tx, call: Call<unknown, Input>): Row;
  update(tx: Tx, call: Call<unknown, Change>, id: number): Row;
  remove(tx: Tx, call: Call, id: number): void;
  /** Instead of `add` in one step. */
  create?(call: Call<unknown, Input>): ReturnType<Operation['handle']>;
  /** Before the step of `add` and of `update`. */
  before?(call: Call<unknown, Input | Change>): Promise<void>;
  /** Of paths that the one with the id would match. */
  further?: readonly Operation[];
}

const ofSiteQuery = z.object({ site_id: query.site().optional(), ...query.paging });

/** Of what several sites can have, for `nounOperations`. */
export function sharedVerbs<Row extends { id: number; name: string; version: number }, Input, Change>(
  verbs: SharedNoun<Row, Input, Change>,
) {
  return {
    noun: verbs.noun,
    query: ofSiteQuery,
    etag: (row: Row) => verbs.etag(row),
    list: (tx: Tx, call: Call<z.output<typeof ofSiteQuery>>) => verbs.list(tx, call.ctx, call.query.site_id ?? null),
    read: (tx: Tx, call: Call, id: number) => verbs.read(tx, call.ctx, id),
    add: (tx: Tx, call: Call<unknown, Input>) => verbs.add(tx, call.ctx, call.body),
    update: (tx: Tx, call: Call<unknown, Change>, id: number) =>
      verbs.change(tx, call.ctx, id, call.body, call.ifMatch),
    remove: (tx: Tx, call: Call, id: number) => verbs.remove(tx, call.ctx, id, call.ifMatch),
  };
}

export function nounOperations<Row, Query extends typeof query.pagingQuery, Input, Change>(
  routes: NounRoutes<Row, Query, Input, Change>,
): Operation[] {
  const { tag, noun, one, many, verb, told = {}, errors, shape, present } = routes;
  const base = `/api/v1/${routes.path}`;
  const items = routes.path.replace(/^.*\//, '').replaceAll('-', ' ');
  const anItem = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  const reading = { tag, access: 'team', ability: 'read' } as const;
  const writing = { tag, access: 'team', ability: routes.ability } as const;
  const rowId = (call: Call) => idOf(call, noun);
  const answer = (call: Call, tx: Tx, status: number, row: Row) =>
    taggedReply(call, status, { data: visible(call, present(row, call, tx)) }, routes.etag(row));
  const described = (operation: keyof typeof told) =>
    told[operation] === undefined ? {} : { description: told[operation] };
  return [
    operation({
      method: 'GET',
      path: base,
      id: `list${many}`,
      ...reading,
      summary: `List ${items}`,
      ...described('list'),
      query: routes.query,
      answer: answered(200, wholeOrPage, shapes.page(shape)),
      errors: [404],
      read: (tx, call) => shortListReply(call, routes.list(tx, call), (row) => present(row, call, tx)),
    }),
    operation({
      method: 'POST',
      path: base,
      id: `create${one}`,
      ...writing,
      summary: `Add ${anItem}`,
      ...described('create'),
      isShortWithoutRead: true,
      body: routes.input,
      answer: answered(201, `The ${noun}`, routes.addedShape ?? shapes.one(shape)),
      errors: errors.create,
      async handle(call) {
        await routes.before?.(call);
        return routes.create?.(call) ?? call.commit((tx) => answer(call, tx, 201, routes.add(tx, call)));
      },
    }),
    ...(routes.further ?? []),
    operation({
      method: 'GET',
      path: `${base}/{id}`,
      id: `read${one}`,
      ...reading,
      summary: `Read ${anItem}`,
      hasEtag: true,
      answer: answered(200, `The ${noun}`, shapes.one(shape)),
      errors: [404],
      read: (tx, call) => answer(call, tx, 200, routes.read(tx, call, rowId(call))),
    }),
    operation({
      method: 'PATCH',
      path: `${base}/{id}`,
      id: `update${one}`,
      ...writing,
      summary: `Update ${anItem}`,
      ...described('update'),
      isShortWithoutRead: true,
      hasEtag: true,
      body: routes.change,
      answer: answered(200, `The updated ${noun}`, shapes.one(shape)),
      errors: errors.update,
      async handle(call) {
        await routes.before?.(call);
        return call.commit((tx) => answer(call, tx, 200, routes.update(tx, call, rowId(call))));
      },
    }),
    operation({
      method: 'DELETE',
      path: `${base}/{id}`,
      id: `delete${one}`,
      ...writing,
      summary: `${verb} ${anItem}`,
      ...described('remove'),
      hasEtag: true,
      answer: answered(204, `${verb}d`, null),
      errors: errors.remove,
      write(tx, call) {
        routes.remove(tx, call, rowId(call));
        return emptyReply(204);
      },
    }),
  ];
}

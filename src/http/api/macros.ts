// The agent surface: macros (docs/spec/console.md#macros).

import * as z from 'zod';
import { previewMacro } from '../../desk/apply-macro.ts';
import { addMacro, changeMacro, findMacro, listMacros, macroEtag, removeMacro } from '../../desk/macros.ts';
import { macroChangeInput, macroInput } from '../../domain/input/macros.ts';
import type { Macro } from '../../store/macros.ts';
import { type Call, type Operation, operation } from '../operation.ts';
import { filledMacroShape, macroShape, presentFilled, presentMacro } from '../wire/macro.ts';
import * as query from '../wire/queries.ts';
import { emptyReply, jsonReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { taggedReply, visible } from '../write-only-answer.ts';
import { shortListReply, wholeOrPage } from './lists.ts';
import { idOf } from './parameters.ts';

const macroId = (call: Call) => idOf(call, 'macro');

function macroReply(call: Call, status: number, macro: Macro) {
  return taggedReply(call, status, { data: visible(call, presentMacro(call.ctx, macro)) }, macroEtag(macro));
}

export const macroOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/macros',
    id: 'listMacros',
    tag: 'Macros',
    summary: 'List macros',
    description: 'Shared ones and your own. With site_id, those of the site and those for every site.',
    access: 'team',
    ability: 'read',
    query: z.object({ site_id: query.site().optional(), ...query.paging }),
    answer: { status: 200, description: wholeOrPage, schema: shapes.page(macroShape) },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) => {
        const rows = listMacros(tx, call.ctx, call.query.site_id ?? null);
        return shortListReply(call, rows, (macro) => presentMacro(call.ctx, macro));
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/macros',
    id: 'createMacro',
    tag: 'Macros',
    summary: 'Add a macro',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'write',
    body: macroInput,
    answer: { status: 201, description: 'The macro', schema: shapes.one(macroShape) },
    errors: [409],
    handle: (call) => call.commit((tx) => macroReply(call, 201, addMacro(tx, call.ctx, call.body))),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/macros/{id}',
    id: 'readMacro',
    tag: 'Macros',
    summary: 'Read a macro',
    access: 'team',
    ability: 'read',
    hasEtag: true,
    answer: { status: 200, description: 'The macro', schema: shapes.one(macroShape) },
    errors: [404],
    handle: (call) => call.edge.desk.read((tx) => macroReply(call, 200, findMacro(tx, call.ctx, macroId(call)))),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/macros/{id}',
    id: 'updateMacro',
    tag: 'Macros',
    summary: 'Update a macro',
    description: 'Your own; a shared one of someone else needs manage.',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'write',
    hasEtag: true,
    body: macroChangeInput,
    answer: { status: 200, description: 'The updated macro', schema: shapes.one(macroShape) },
    errors: [404, 412],
    handle: (call) =>
      call.commit((tx) => macroReply(call, 200, changeMacro(tx, call.ctx, macroId(call), call.body, call.ifMatch))),
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/macros/{id}',
    id: 'deleteMacro',
    tag: 'Macros',
    summary: 'Remove a macro',
    access: 'team',
    ability: 'write',
    hasEtag: true,
    answer: { status: 204, description: 'Removed', schema: null },
    errors: [404, 412],
    handle: (call) =>
      call.commit((tx) => {
        removeMacro(tx, call.ctx, macroId(call), call.ifMatch);
        return emptyReply(204);
      }),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/macros/{id}/preview',
    id: 'previewMacro',
    tag: 'Macros',
    summary: 'What a macro says and changes on a ticket',
    description: 'With the variables filled in, and the changes as PATCH /tickets/{ticket} takes them.',
    access: 'team',
    ability: 'read',
    query: z.object({ ticket: query.name() }),
    answer: { status: 200, description: 'The filled macro', schema: shapes.one(filledMacroShape) },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) =>
        jsonReply(200, { data: presentFilled(previewMacro(tx, call.ctx, macroId(call), call.query.ticket)) }),
      ),
  }),
];

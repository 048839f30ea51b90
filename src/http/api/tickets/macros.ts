// The agent surface: macros (docs/spec/console.md#macros).

import * as z from 'zod';
import { previewMacro } from '../../../desk/tickets/apply-macro.ts';
import { addMacro, changeMacro, findMacro, listMacros, macroEtag, removeMacro } from '../../../desk/tickets/macros.ts';
import { macroChangeInput, macroInput } from '../../../domain/input/macros.ts';
import type { Macro } from '../../../store/tickets/macros.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import * as query from '../../wire/queries.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { filledMacroShape, macroShape, presentFilled, presentMacro } from '../../wire/tickets/macro.ts';
import { taggedReply, visible } from '../../write-only-answer.ts';
import { shortListReply, wholeOrPage } from '../lists.ts';
import { idOf } from '../parameters.ts';

const reading = { tag: 'Macros', access: 'team', ability: 'read' } as const;
const writing = { tag: 'Macros', access: 'team', ability: 'write' } as const;

const macroId = (call: Call) => idOf(call, 'macro');

function macroReply(call: Call, status: number, macro: Macro) {
  return taggedReply(call, status, { data: visible(call, presentMacro(call.ctx, macro)) }, macroEtag(macro));
}

export const macroOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/macros',
    id: 'listMacros',
    ...reading,
    summary: 'List macros',
    description: 'Shared ones and your own. With site_id, those of the site and those for every site.',
    query: z.object({ site_id: query.site().optional(), ...query.paging }),
    answer: answered(200, wholeOrPage, shapes.page(macroShape)),
    errors: [404],
    read(tx, call) {
      const rows = listMacros(tx, call.ctx, call.query.site_id ?? null);
      return shortListReply(call, rows, (macro) => presentMacro(call.ctx, macro));
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/macros',
    id: 'createMacro',
    ...writing,
    summary: 'Add a macro',
    isShortWithoutRead: true,
    body: macroInput,
    answer: answered(201, 'The macro', shapes.one(macroShape)),
    errors: [409],
    write: (tx, call) => macroReply(call, 201, addMacro(tx, call.ctx, call.body)),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/macros/{id}',
    id: 'readMacro',
    ...reading,
    summary: 'Read a macro',
    hasEtag: true,
    answer: answered(200, 'The macro', shapes.one(macroShape)),
    errors: [404],
    read: (tx, call) => macroReply(call, 200, findMacro(tx, call.ctx, macroId(call))),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/macros/{id}',
    id: 'updateMacro',
    ...writing,
    summary: 'Update a macro',
    description: 'Your own; a shared one of someone else needs manage.',
    isShortWithoutRead: true,
    hasEtag: true,
    body: macroChangeInput,
    answer: answered(200, 'The updated macro', shapes.one(macroShape)),
    errors: [404, 412],
    write: (tx, call) => macroReply(call, 200, changeMacro(tx, call.ctx, macroId(call), call.body, call.ifMatch)),
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/macros/{id}',
    id: 'deleteMacro',
    ...writing,
    summary: 'Remove a macro',
    hasEtag: true,
    answer: answered(204, 'Removed', null),
    errors: [404, 412],
    write(tx, call) {
      removeMacro(tx, call.ctx, macroId(call), call.ifMatch);
      return emptyReply(204);
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/macros/{id}/preview',
    id: 'previewMacro',
    ...reading,
    summary: 'What a macro says and changes on a ticket',
    description: 'With the variables filled in, and the changes as PATCH /tickets/{ticket} takes them.',
    query: z.object({ ticket: query.name() }),
    answer: answered(200, 'The filled macro', shapes.one(filledMacroShape)),
    errors: [404],
    read: (tx, call) =>
      jsonReply(200, { data: presentFilled(previewMacro(tx, call.ctx, macroId(call), call.query.ticket)) }),
  }),
];

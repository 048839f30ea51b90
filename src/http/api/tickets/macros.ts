// The agent surface: macros (docs/spec/console.md#macros).

import * as z from 'zod';
import { previewMacro } from '../../../desk/tickets/apply-macro.ts';
import { macros } from '../../../desk/tickets/macros.ts';
import { macroChangeInput, macroInput } from '../../../domain/input/macros.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import * as query from '../../wire/queries.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { filledMacroShape, macroShape, presentFilled, presentMacro } from '../../wire/tickets/macro.ts';
import { nounOperations, sharedVerbs } from '../noun.ts';
import { idOf } from '../parameters.ts';

export const macroOperations: readonly Operation[] = [
  ...nounOperations({
    ...sharedVerbs(macros),
    path: 'macros',
    tag: 'Macros',
    one: 'Macro',
    many: 'Macros',
    ability: 'write',
    told: {
      list: 'Shared ones and your own. With site_id, those of the site and those for every site.',
      update: 'Your own; a shared one of someone else needs manage.',
    },
    errors: { create: [409], update: [404, 412], remove: [404, 412] },
    verb: 'Remove',
    input: macroInput,
    change: macroChangeInput,
    shape: macroShape,
    present: (macro, call) => presentMacro(macro, call.ctx),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/macros/{id}/preview',
    id: 'previewMacro',
    tag: 'Macros',
    access: 'team',
    ability: 'read',
    summary: 'What a macro says and changes on a ticket',
    description: 'With the variables filled in, and the changes as PATCH /tickets/{ticket} takes them.',
    query: z.object({ ticket: query.name() }),
    answer: answered(200, 'The filled macro', shapes.one(filledMacroShape)),
    errors: [404],
    read: (tx, call) =>
      jsonReply(200, { data: presentFilled(previewMacro(tx, call.ctx, idOf(call, 'macro'), call.query.ticket)) }),
  }),
];

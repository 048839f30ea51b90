// The results of a change of many tickets, for the agent surface and the command line (docs/spec/console.md#bulk-changes).

import * as z from 'zod';
import type { Context } from '../../../desk/context.ts';
import { type BulkResult, textInBulk } from '../../../desk/tickets/bulk.ts';
import type { BulkChange } from '../../../domain/input/bulk.ts';
import type { Tx } from '../../../engine/database.ts';
import type { Sync } from '../../../engine/writer.ts';
import { jsonReply, type Reply } from '../respond.ts';
import { errorShape, id, ulid } from '../shapes.ts';
import { ticketShape } from './ticket.ts';
import { rendered } from './written.ts';

const { message, code, errors } = errorShape.shape;
/** For callers that cannot read. */
const namesShape = z.strictObject({ id: id(), ulid: ulid(), reference: z.string() });

export const bulkResultShape = z
  .object({
    ticket: ulid(),
    status: z.union([200, 403, 404, 409, 422, 500, 503].map((status) => z.literal(status))),
    data: z.union([ticketShape, namesShape]).nullable(),
    reply: ulid().nullable().meta({ description: 'The reply that the macro wrote.' }),
    error: z.object({ message, code, errors: errors.nullable() }).nullable(),
  })
  .meta({ id: 'BulkResult' });
type Shown = z.output<typeof bulkResultShape>;

/** What a macro says on a ticket, with its Markdown as HTML. */
export async function macroTextOf(
  read: <T>(reading: (tx: Tx) => Sync<T>) => T,
  ctx: Context,
  ticket: string,
  change: BulkChange,
): Promise<{ body: string; html: string | null } | null> {
  const text = change.macro_id === undefined ? null : read((tx) => textInBulk(tx, ctx, ticket, change));
  return text === null ? null : await rendered({ body: text.body, body_format: text.bodyFormat });
}

export function doneReply({ reply }: BulkResult, data: object): Reply {
  return jsonReply(200, { data, reply });
}

/** @param reply of `doneReply`, or a refusal */
export function presentBulkResult(ticket: string, { status, body }: Reply): Shown {
  const said = JSON.parse(body);
  if (status === 200) return { ticket, status, data: said.data, reply: said.reply, error: null };
  const error = { message: said.message, code: said.code, errors: said.errors ?? null };
  return { ticket, status: status as Shown['status'], data: null, reply: null, error };
}

// The agent surface: one change of many tickets (docs/spec/console.md#bulk-changes).

import * as z from 'zod';
import { monotonicMs } from '../../../base/clock.ts';
import { changeInBulk } from '../../../desk/tickets/bulk.ts';
import { DeskError } from '../../../domain/errors.ts';
import { type BulkChange, bulkInput } from '../../../domain/input/bulk.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { createLookups } from '../../wire/lookups.ts';
import { emptyReply, jsonReply, type Reply } from '../../wire/respond.ts';
import { bulkResultShape, doneReply, macroTextOf, presentBulkResult } from '../../wire/tickets/bulk.ts';
import { presentTicket } from '../../wire/tickets/ticket.ts';
import { visible } from '../../write-only-answer.ts';

// Tickets whose changes are committed together. The event loop is held for about this time.
const sliceMs = 10;
const mostInSlice = 8;

export const bulkOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/tickets/bulk',
    id: 'changeTickets',
    tag: 'Tickets',
    summary: 'Change many tickets',
    description:
      'Each ticket is changed whole or not at all, in order, and has a result of its own. With an Idempotency-Key, a repeat goes on where the first request stopped.',
    access: 'team',
    ability: 'write',
    body: bulkInput,
    answer: answered(
      200,
      'A result for each ticket, in the order of the request',
      z.object({ data: z.array(bulkResultShape) }),
    ),
    errors: [409],
    async handle(call) {
      if (call.ifMatch !== null)
        throw new DeskError('malformed', 'If-Match names one version, and this request changes many tickets.');
      const { tickets, change } = call.body;
      // Refuses a key that belongs to another request before anything is changed.
      if (call.header('idempotency-key') !== undefined) {
        const begun = await call.commitPart('begun', () => emptyReply(200));
        if (begun.status !== 200) return begun;
      }
      const results = await inSlices(tickets, (ticket) => changeOne(call, ticket, change));
      const isRepeat = results.every((one) => one.isRepeat);
      return jsonReply(
        200,
        { data: results.map(({ result }) => result) },
        isRepeat ? { 'Idempotency-Replayed': 'true' } : {},
      );
    },
  }),
];

interface Changed {
  result: ReturnType<typeof presentBulkResult>;
  isRepeat: boolean;
}

async function inSlices(tickets: readonly string[], change: (ticket: string) => Promise<Changed>): Promise<Changed[]> {
  const changed: Changed[] = [];
  let size = 1;
  while (changed.length < tickets.length) {
    const startedAt = monotonicMs();
    const slice = tickets.slice(changed.length, changed.length + size);
    // The steps of a slice share a commit, each in a savepoint of its own.
    changed.push(...(await Promise.all(slice.map(change))));
    const perTicketMs = (monotonicMs() - startedAt) / slice.length;
    size = Math.max(1, Math.min(mostInSlice, size * 2, Math.floor(sliceMs / perTicketMs)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return changed;
}

async function changeOne(call: Call, ticket: string, change: BulkChange): Promise<Changed> {
  const text = await macroTextOf((read) => call.edge.desk.read(read), call.ctx, ticket, change);
  const act = (tx: Parameters<Parameters<Call['commitPart']>[1]>[0]): Reply => {
    const done = changeInBulk(tx, call.ctx, ticket, change, text);
    return doneReply(done, visible(call, presentTicket(done.ticket, createLookups(tx, { reader: call.actor }))));
  };
  const answer = await call.commitPart(ticket, act);
  return { result: presentBulkResult(ticket, answer), isRepeat: answer.isRepeat };
}

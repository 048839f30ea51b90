// One ticket's share of a change of many tickets.

import { conflict, DeskError } from '../../domain/errors.ts';
import type { BulkChange } from '../../domain/input/bulk.ts';
import type { TicketChangeInput } from '../../domain/input/tickets.ts';
import type { Tx } from '../../engine/database.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import { findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { type FilledMacro, fillMacro } from './apply-macro.ts';
import { changeTicket } from './change-ticket.ts';
import { findMacro } from './macros.ts';
import { mergeTickets } from './merge-tickets.ts';
import { replyFromMacro } from './replies.ts';

export interface BulkResult {
  ticket: Ticket;
  /** The ulid of the reply that a macro wrote. */
  reply: string | null;
}

/** A macro's text for one ticket. */
type MacroText = Pick<FilledMacro, 'body' | 'bodyFormat'>;

/** The text to render before the step; null if there is none, or the step will refuse the ticket. */
export function textInBulk(tx: Tx, ctx: Context, ulid: string, { macro_id: macroId }: BulkChange): MacroText | null {
  if (macroId === undefined) return null;
  try {
    return fillMacro(tx, ctx, findMacro(tx, ctx, macroId), findTicket(tx, ctx, ulid));
  } catch (error) {
    if (error instanceof DeskError) return null;
    throw error;
  }
}

/**
 * All of it or, if it throws, nothing (docs/spec/console.md#bulk-changes).
 * @param text what `textInBulk` found, with its HTML
 */
export function changeInBulk(
  tx: Tx,
  ctx: Context,
  ulid: string,
  change: BulkChange,
  text: { body: string; html: string | null } | null,
): BulkResult {
  const { macro_id: macroId, hold_seconds: holdSeconds, merge_into: into, ...fields } = change;
  if (into !== undefined) return { ticket: mergeTickets(tx, ctx, ulid, into, 'merge_into').source, reply: null };
  if (macroId === undefined) return { ticket: changeTicket(tx, ctx, ulid, fields, null), reply: null };
  const macro = fillMacro(tx, ctx, findMacro(tx, ctx, macroId), findTicket(tx, ctx, ulid));
  const asked = withMacro(macro.changes, fields);
  if (macro.body.trim() === '') return { ticket: changeTicket(tx, ctx, ulid, asked, null), reply: null };
  if (text?.body !== macro.body)
    throw conflict('The ticket or the macro was changed at the same moment. Try again.', 'changed_meanwhile');
  // As for any reply, the status comes with it: with one that is held, when it is sent.
  const { status, ...rest } = asked;
  const isSnoozing = rest.snoozed_until != null;
  const changed = changeTicket(tx, ctx, ulid, isSnoozing ? asked : rest, null);
  const reply = replyFromMacro(tx, ctx, ulid, {
    body: macro.body,
    html: text.html,
    body_format: macro.bodyFormat,
    status: isSnoozing ? 'pending' : status,
    hold_seconds: holdSeconds,
  });
  return { ticket: ticketById(tx, changed.id) ?? changed, reply };
}

/** What the caller names goes before what the macro says about the same. */
function withMacro(macro: TicketChangeInput, fields: TicketChangeInput): TicketChangeInput {
  const { snoozed_until: until, status, ...rest } = macro;
  const isStateGiven = fields.status !== undefined || fields.snoozed_until !== undefined;
  const state = isStateGiven ? {} : { ...(status && { status }), ...(until !== undefined && { snoozed_until: until }) };
  const joined = (own: string[] = [], given: string[] = []) => [...new Set([...own, ...given])];
  return {
    ...rest,
    ...state,
    ...fields,
    add_tags: joined(macro.add_tags, fields.add_tags),
    remove_tags: joined(macro.remove_tags, fields.remove_tags),
  };
}

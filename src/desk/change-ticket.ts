// Changing the fields of a ticket.

import { checkCustomFields } from '../domain/custom-field.ts';
import { conflict, DeskError, type FieldErrors, notFound } from '../domain/errors.ts';
import type { EventData } from '../domain/event.ts';
import type { TicketChangeInput } from '../domain/input/tickets.ts';
import type { Tx } from '../store/database.ts';
import { categoryRows, customFieldRows, type Priority, priorityRows } from '../store/site-catalogue.ts';
import { siteById } from '../store/sites.ts';
import { type Ticket, updateTicket } from '../store/tickets.ts';
import { authorise, findTicket, requireVersion } from './access.ts';
import { catchUpClocks, retarget } from './clocks.ts';
import type { Context } from './context.ts';
import { ticketEtag } from './find-ticket.ts';
import { isAgentOfSite } from './people.ts';
import { record } from './record.ts';
import { reindexTicket } from './search-index.ts';
import { breachColumns, changeStatus } from './ticket-status.ts';

/** Changes nothing if any field is refused (docs/spec/api.md#tickets). */
export function changeTicket(
  tx: Tx,
  ctx: Context,
  name: string | number,
  input: TicketChangeInput,
  ifMatch: readonly string[] | null,
): Ticket {
  authorise(ctx, 'write');
  let ticket = findTicket(tx, ctx, name);
  requireVersion(ifMatch, ticketEtag(ticket));
  const site = siteById(tx, ticket.siteId);
  if (!site) throw notFound('ticket');
  const errors: FieldErrors = {};
  const change: Partial<Ticket> = {};
  const changes: NonNullable<EventData['changes']> = {};
  const set = (field: string, from: unknown, to: unknown, columns: Partial<Ticket>) => {
    if (JSON.stringify(from) === JSON.stringify(to)) return;
    changes[field] = { from, to };
    Object.assign(change, columns);
  };
  if (input.subject !== undefined) set('subject', ticket.subject, input.subject, { subject: input.subject });
  if (input.tags !== undefined) set('tags', ticket.tags, input.tags, { tags: input.tags });
  if (input.category_id !== undefined) {
    if (input.category_id !== null && !categoryRows.get(tx, site.id, input.category_id))
      errors.category_id = ['does not name a category of this site.'];
    else set('category_id', ticket.categoryId, input.category_id, { categoryId: input.category_id });
  }
  let priority: Priority | undefined;
  if (input.priority_id !== undefined && input.priority_id !== ticket.priorityId) {
    priority = priorityRows.get(tx, site.id, input.priority_id);
    if (!priority) errors.priority_id = ['does not name a priority of this site.'];
    else set('priority_id', ticket.priorityId, priority.id, { priorityId: priority.id, priorityLevel: priority.level });
  }
  if (input.custom_fields !== undefined) {
    const fields = customFieldRows.list(tx, site.id).filter((field) => field.isActive);
    const checked = checkCustomFields(fields, input.custom_fields, ticket.customFields);
    Object.assign(errors, checked.errors);
    set('custom_fields', ticket.customFields, checked.values, { customFields: checked.values });
  }
  const assigneeId = input.assigned_to;
  if (
    assigneeId !== undefined &&
    assigneeId !== null &&
    assigneeId !== ticket.assigneeId &&
    !isAgentOfSite(tx, site.id, assigneeId)
  ) {
    errors.assigned_to = ['does not name an agent of this site.'];
  }
  if (Object.keys(errors).length > 0) throw new DeskError('invalid', 'The ticket could not be changed.', { errors });
  if (ticket.mergedIntoId !== null && input.status !== undefined && input.status !== ticket.status) {
    throw conflict('This ticket was merged into another one. Change that one instead.', 'ticket_merged');
  }

  if (Object.keys(changes).length > 0) {
    if (priority) {
      const late = catchUpClocks(tx, ctx, site, ticket);
      Object.assign(change, breachColumns(late), retarget(tx, site, late, priority));
    }
    ticket = updateTicket(tx, ticket, { ...change, updatedAt: ctx.now });
    record(tx, ctx, {
      kind: 'ticket.updated',
      siteId: site.id,
      ticketId: ticket.id,
      data: { ticket_ulid: ticket.ulid, changes },
    });
    if (changes.subject) reindexTicket(tx, ticket.id);
  }
  if (assigneeId !== undefined && assigneeId !== ticket.assigneeId) {
    const from = ticket.assigneeId;
    ticket = updateTicket(tx, ticket, { assigneeId, updatedAt: ctx.now });
    record(tx, ctx, {
      kind: 'ticket.assigned',
      siteId: site.id,
      ticketId: ticket.id,
      data: { ticket_ulid: ticket.ulid, changes: { assigned_to: { from, to: assigneeId } } },
    });
  }
  if (input.status !== undefined) ticket = changeStatus(tx, ctx, site, ticket, input.status);
  return ticket;
}

// What a macro says and changes on one ticket, for the agent who applies it.

import { invalid, notFound } from '../../domain/errors.ts';
import type { TicketChangeInput } from '../../domain/input/tickets.ts';
import { hourMs } from '../../domain/instant.ts';
import { publicName } from '../../domain/sites/site.ts';
import type { CustomFieldValues } from '../../domain/tickets/custom-field.ts';
import type { MacroFormat, MacroVariable } from '../../domain/tickets/macro.ts';
import { referenceOf } from '../../domain/tickets/ticket.ts';
import { fillIn } from '../../domain/variables.ts';
import type { Tx } from '../../engine/database.ts';
import { authorById } from '../../store/customers/authors.ts';
import { siteById } from '../../store/sites/sites.ts';
import type { Macro } from '../../store/tickets/macros.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import { findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { findMacro } from './macros.ts';

export interface FilledMacro {
  body: string;
  bodyFormat: MacroFormat;
  changes: TicketChangeInput;
}

export function previewMacro(tx: Tx, ctx: Context, id: number, ticket: string): FilledMacro {
  return fillMacro(tx, ctx, findMacro(tx, ctx, id), findTicket(tx, ctx, ticket));
}

/** Throws `invalid` for the macro of another site. */
export function fillMacro(tx: Tx, ctx: Context, macro: Macro, ticket: Ticket): FilledMacro {
  if (macro.siteId !== null && macro.siteId !== ticket.siteId)
    throw invalid('macro_id', 'does not name a macro of this site.');
  const site = siteById(tx, ticket.siteId);
  if (!site) throw notFound('ticket');
  const author = authorById(tx, ticket.authorId);
  const filled = (name: MacroVariable): string => {
    switch (name) {
      case 'author.name':
        return author?.name || (author?.email ?? '');
      case 'ticket.reference':
        return referenceOf(ticket.id);
      case 'agent.name':
        return ctx.actor.kind === 'agent' ? ctx.actor.name : publicName(site);
      case 'site.name':
        return site.name;
      default:
        return textOf(ownValue(ticket.customFields, name.slice('field.'.length)));
    }
  };
  const body = fillIn(macro.body, macro.bodyFormat, (name) => filled(name as MacroVariable));
  return { body, bodyFormat: macro.bodyFormat, changes: changesOf(ctx, macro) };
}

const ownValue = (values: CustomFieldValues, key: string) => (Object.hasOwn(values, key) ? values[key] : undefined);

function textOf(value: CustomFieldValues[string] | undefined): string {
  if (value == null) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function changesOf(ctx: Context, { changes }: Macro): TicketChangeInput {
  const { assigned_to: assigned, snooze_hours: hours, ...rest } = changes;
  const change: TicketChangeInput = { ...rest };
  if (assigned === 'me') {
    if (ctx.actor.kind !== 'agent') throw invalid('macro_id', 'needs an agent who signed in: it assigns to "me".');
    change.assigned_to = ctx.actor.agentId;
  } else if (assigned !== undefined) change.assigned_to = assigned;
  if (hours !== undefined) change.snoozed_until = ctx.now + hours * hourMs;
  return change;
}

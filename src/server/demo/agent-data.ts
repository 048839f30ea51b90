// What agents leave behind in the demo data besides answers: saved views, macros, snoozed tickets, read marks.

import type { Context } from '../../desk/context.ts';
import { createView } from '../../desk/lists/views.ts';
import { changeTicket } from '../../desk/tickets/change-ticket.ts';
import { addMacro } from '../../desk/tickets/macros.ts';
import { markTicket } from '../../desk/tickets/read-marks.ts';
import type { AgentActor } from '../../domain/actor.ts';
import type { MacroInput } from '../../domain/input/macros.ts';
import type { ViewInput } from '../../domain/input/views.ts';
import { dayMs } from '../../domain/instant.ts';
import type { Tx } from '../../engine/database.ts';
import { ticketById } from '../../store/tickets/tickets.ts';

const views: readonly ViewInput[] = [
  { name: 'Refunds', filter: { status: ['open', 'pending'], tag: ['refund'] }, is_shared: true },
  { name: 'Bugs to reproduce', filter: { status: ['open'], tag: ['bug'] }, sort: 'priority', is_shared: true },
  { name: 'Invoices', filter: { tag: ['invoice'] }, is_shared: false },
];

const macros: readonly MacroInput[] = [
  {
    name: 'Ask for more details',
    body: 'Hello {{author.name}},\n\nthank you for {{ticket.reference}}. Could you tell us\n\n- what you did,\n- what you expected, and\n- what happened instead?\n\nA screenshot helps a lot.\n\n{{agent.name}}',
    body_format: 'markdown',
    changes: { status: 'pending', assigned_to: 'me' },
    is_shared: true,
  },
  {
    name: 'Refund is on its way',
    body: 'Hello {{author.name}},\n\nthe refund left our account today. Your bank usually shows it within **three working days**.\n\n{{agent.name}}, {{site.name}}',
    body_format: 'markdown',
    changes: { status: 'resolved', add_tags: ['refunded'] },
    is_shared: true,
  },
  { name: 'Wait for the supplier', changes: { add_tags: ['supplier'], snooze_hours: 48 }, is_shared: true },
  { name: 'Take it', changes: { assigned_to: 'me', status: 'open' }, is_shared: false },
];

/** What the owner has done, whose inbox opens first. */
export function addAgentData(tx: Tx, ctx: Context, owner: AgentActor, ids: readonly number[]): void {
  for (const view of views) createView(tx, ctx, view);
  for (const macro of macros) addMacro(tx, ctx, macro);
  const tickets = ids.map((id) => ticketById(tx, id)).filter((ticket) => ticket !== undefined);
  const waiting = tickets.filter(({ status }) => status === 'pending').slice(-8);
  waiting.forEach(({ id }, index) => {
    if (index % 2 === 0) changeTicket(tx, ctx, id, { snoozed_until: ctx.now + (index + 1) * dayMs }, null);
  });
  for (const { ulid, createdAt } of tickets) if (createdAt < ctx.now - dayMs) markTicket(tx, ctx, owner, ulid, 'read');
}

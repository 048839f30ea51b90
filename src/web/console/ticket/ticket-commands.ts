// What can be done with the open ticket by keys and in the palette.

import { ticketStatuses } from '../../../domain/tickets/ticket.ts';
import { type Command, useCommands } from '../commands.ts';
import { neighbours } from '../list/ticket-list.ts';
import { go, lastListPath } from '../route.ts';
import { can, session } from '../session.ts';
import { statusText } from '../tickets/status.tsx';
import type { TicketDetail } from '../wire.ts';
import { assign, setStatus } from './header/ticket-fields.tsx';
import type { HeaderHandles } from './header/ticket-header.tsx';
import { ticketActions } from './header/ticket-menu.tsx';
import { t } from './messages.ts';

/** These go on while a ticket is still loaded. */
export function useStepCommands(ulid: string): void {
  const to = (other: string | null) => {
    if (other !== null) go(`/tickets/${other}`, { replace: true });
  };
  useCommands('ticket', [
    { id: 'ticket:next', title: t.nextTicket, keys: ['j'], isOnlyByKey: true, run: () => to(neighbours(ulid).next) },
    {
      id: 'ticket:previous',
      title: t.previousTicket,
      keys: ['k'],
      isOnlyByKey: true,
      run: () => to(neighbours(ulid).previous),
    },
    { id: 'ticket:back', title: t.backToList, keys: ['u', 'Escape'], run: () => go(lastListPath.peek()) },
  ]);
}

export function useTicketCommands(ticket: TicketDetail, handles: HeaderHandles): void {
  const own = session.value?.agent;
  const canChange = can('write') && ticket.merged_into === null;
  const changes: Command[] = !canChange
    ? []
    : [
        { id: 'ticket:assign', title: t.assign, keys: ['a'], run: () => handles.assignee.current?.open() },
        {
          id: 'ticket:team',
          title: t.actionTeam,
          keys: ['Shift+a'],
          isAvailable: () => handles.team.current !== null,
          run: () => handles.team.current?.open(),
        },
        {
          id: 'ticket:mine',
          title: t.assignToMe,
          keys: ['m'],
          isAvailable: () => own !== undefined && ticket.assignee?.id !== own.id,
          run: () => {
            if (own !== undefined) assign(ticket, own);
          },
        },
        { id: 'ticket:status', title: t.setStatus, keys: ['s'], run: () => handles.status.current?.open() },
        {
          id: 'ticket:resolve',
          title: t.resolve,
          keys: ['e'],
          isAvailable: () => ticket.status !== 'resolved',
          run: () => setStatus(ticket, 'resolved'),
        },
        { id: 'ticket:snooze', title: t.snooze, keys: ['z'], run: () => handles.snooze.current?.open() },
        ...ticketStatuses.map((status) => ({
          id: `ticket:${status}`,
          title: `${t.status}: ${statusText(status)}`,
          isAvailable: () => ticket.status !== status,
          run: () => setStatus(ticket, status),
        })),
      ];
  useCommands('ticket', [
    ...changes,
    ...ticketActions(ticket).map(({ id, text, run }) => ({ id: `ticket:${id}`, title: text, run })),
  ]);
}

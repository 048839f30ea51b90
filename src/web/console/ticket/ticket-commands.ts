// What can be done with the open ticket by keys and in the palette.

import type { RefObject } from 'preact';
import { ticketStatuses } from '../../../domain/tickets/ticket.ts';
import type { Opener } from '../../shared/popover.ts';
import { type Command, useCommands } from '../commands.ts';
import { propertyHandles } from '../details/properties.tsx';
import { type PickerKind, picking } from '../list/bulk/targets.ts';
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
  /** At its place on the page. Where that does not show, as details that are folded away, in a dialog. */
  const choose = (kind: PickerKind, { current: place }: RefObject<Opener | null>) => {
    if (place?.open() !== true)
      picking.value = { kind, targets: { kind: 'some', tickets: [ticket], ulids: [ticket.ulid] } };
  };
  const canChange = can('write') && ticket.merged_into === null;
  const changes: Command[] = !canChange
    ? []
    : [
        { id: 'ticket:assign', title: t.assign, keys: ['a'], run: () => choose('assign', handles.assignee) },
        {
          id: 'ticket:team',
          title: t.actionTeam,
          keys: ['Shift+a'],
          isAvailable: () => handles.team.current !== null,
          run: () => choose('team', handles.team),
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
        { id: 'ticket:status', title: t.setStatus, keys: ['s'], run: () => choose('status', handles.status) },
        {
          id: 'ticket:resolve',
          title: t.resolve,
          keys: ['e'],
          isAvailable: () => ticket.status !== 'resolved',
          run: () => setStatus(ticket, 'resolved'),
        },
        { id: 'ticket:snooze', title: t.snooze, keys: ['z'], run: () => choose('snooze', handles.snooze) },
        {
          id: 'ticket:priority',
          title: t.actionPriority,
          keys: ['p'],
          run: () => choose('priority', propertyHandles.priority),
        },
        {
          id: 'ticket:category',
          title: t.actionCategory,
          keys: ['c'],
          run: () => choose('category', propertyHandles.category),
        },
        { id: 'ticket:tags', title: t.actionTags, keys: ['t'], run: () => choose('tags', propertyHandles.tags) },
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

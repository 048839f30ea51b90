// The menu of a ticket: what is done seldom.

import type { RefObject } from 'preact';
import type { Following } from '../../../../domain/notifications/notification.ts';
import { Icon } from '../../../shared/icons.tsx';
import { Menu } from '../../../shared/menu.tsx';
import { announceRefusal } from '../../../shared/notices.tsx';
import type { Opener } from '../../../shared/popover.ts';
import { ask } from '../../../shared/signed-in.ts';
import { can } from '../../session.ts';
import { storeRow } from '../../tickets/cache.ts';
import { changeTicket, tellChanged } from '../../tickets/change.ts';
import type { TicketDetail } from '../../wire.ts';
import { printTicket } from '../conversation/printing.ts';
import { copyTicketAsText } from '../copying.ts';
import { openDialog } from '../dialogs/dialogs.ts';
import { t } from '../messages.ts';
import { undoMerge } from '../unmerge.ts';
import { TicketIcon } from './ticket-icons.tsx';

interface TicketAction {
  id: string;
  text: string;
  icon: preact.ComponentChildren;
  isApart?: boolean;
  isDanger?: boolean;
  run: () => void;
}

/** The same in the menu and in the command palette. */
export function ticketActions(ticket: TicketDetail): TicketAction[] {
  const { reference, is_spam: isSpam, ulid, following } = ticket;
  const hearing: TicketAction[] = [
    {
      id: 'follow',
      text: following === 'yes' ? t.unfollow : t.follow,
      icon: <Icon name="bell" />,
      run: () => void setFollowing(ulid, following === 'yes' ? 'no' : 'yes'),
    },
    {
      id: 'mute',
      text: following === 'muted' ? t.unmute : t.mute,
      icon: <Icon name="bell" />,
      run: () => void setFollowing(ulid, following === 'muted' ? 'no' : 'muted'),
    },
  ];
  const reading: TicketAction[] = [
    { id: 'copy', text: t.copyAsText, icon: <Icon name="copy" />, run: () => void copyTicketAsText(ticket) },
    { id: 'print', text: t.printTicket, icon: <Icon name="print" />, run: () => printTicket(false) },
    ...(ticket.messages.some(({ is_internal: isNote }) => isNote)
      ? [{ id: 'print-notes', text: t.printWithNotes, icon: <Icon name="print" />, run: () => printTicket(true) }]
      : []),
  ];
  if (!can('write') || ticket.merged_into !== null) return [...hearing, ...reading];
  const [copy, ...prints] = reading as [TicketAction, ...TicketAction[]];
  return [
    { id: 'merge', text: t.merge, icon: <TicketIcon name="merge" />, run: () => openDialog({ name: 'merge' }) },
    ...ticket.merges.map(({ ticket: ulid, reference: merged }) => ({
      id: `unmerge-${ulid}`,
      text: t.undoMergeOf(merged),
      icon: <TicketIcon name="split" />,
      run: () => void undoMerge({ ulid, reference: merged }),
    })),
    {
      id: 'spam',
      text: isSpam ? t.unmarkSpam : t.markSpam,
      icon: <TicketIcon name="spam" />,
      run: () =>
        void changeTicket(
          [ticket.ulid],
          { is_spam: !isSpam },
          { text: isSpam ? t.spamUnmarked(reference) : t.listDidSpam(1) },
        ),
    },
    ...hearing.map((one, at) => ({ ...one, isApart: at === 0 })),
    { ...copy, isApart: true },
    ...prints,
    ...(ticket.author === null || ticket.author.anonymised_at !== null
      ? []
      : [
          {
            id: 'erase',
            text: t.erase,
            icon: <TicketIcon name="erase" />,
            isApart: true,
            isDanger: true,
            run: () => openDialog({ name: 'erase' }),
          },
        ]),
  ];
}

export function TicketMenu({ ticket, handle }: { ticket: TicketDetail; handle: RefObject<Opener | null> }) {
  return (
    <Menu label={t.moreActions} placement={{ align: 'end' }} handle={handle} items={ticketActions(ticket)}>
      <TicketIcon name="more" />
    </Menu>
  );
}

/** Each agent for themselves. */
async function setFollowing(ulid: string, following: Following): Promise<void> {
  const answer = await ask('PUT', `/tickets/${ulid}/following`, { following });
  if (!answer.isOk) return announceRefusal(answer.refusal);
  storeRow({ ulid, following });
  tellChanged(ulid, { following });
}

// A ticket: list, conversation, composer and details.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { announce, Notice } from '../../shared/notices.tsx';
import type { Opener } from '../../shared/popover.ts';
import { refusalText } from '../../shared/refusal-text.ts';
import { Composer } from '../composer/composer.tsx';
import { Details } from '../details/details.tsx';
import { EraseAuthor } from '../details/erase-author.tsx';
import { ListPane } from '../list/list-pane.tsx';
import { neighbours } from '../list/ticket-list.ts';
import { usePageTitle } from '../page-title.ts';
import { go, route } from '../route.ts';
import { RefusedPage } from '../shell/refused.tsx';
import { openedTicket, prefetch, reload, type TicketState, ticketSignal } from '../tickets/cache.ts';
import type { TicketDetail } from '../wire.ts';
import { Conversation } from './conversation.tsx';
import { closeDialog, openedDialog } from './dialogs.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { t } from './messages.ts';
import { DeleteNote } from './own-note.tsx';
import { areDetailsOpen, isListOpen, narrowPane } from './panes.ts';
import { PresenceLine } from './presence-line.tsx';
import { PrintSheet } from './print-sheet.tsx';
import { useResting } from './resting.ts';
import { SnoozeDialog } from './snooze.tsx';
import { SplitDialog } from './split-dialog.tsx';
import { useStepCommands, useTicketCommands } from './ticket-commands.ts';
import { TicketHeader } from './ticket-header.tsx';
import { TicketSkeleton } from './ticket-skeleton.tsx';
import { usePresence, useReadMark } from './use-presence.ts';
import { Viewer } from './viewer.tsx';

export function TicketPage() {
  const here = route.value;
  return here.name === 'ticket' ? <Panes ulid={here.ticket} wanted={here.message} /> : null;
}

const passing: TicketState = { kind: 'loading' };

function Panes({ ulid, wanted }: { ulid: string; wanted: string | null }) {
  // A ticket that the agent only passes is not asked for.
  const isResting = useResting(ulid);
  const isDrawn = useIsDrawn();
  const state = isResting ? ticketSignal(ulid).value : passing;
  useStepCommands(ulid);
  useEffect(() => {
    openedTicket.value = ulid;
    narrowPane.value = 'conversation';
    closeDialog();
    return () => {
      openedTicket.value = null;
    };
  }, [ulid]);
  const isRefused = state.kind === 'refused';
  const hasDetails = areDetailsOpen.value && !isRefused;
  const layout = `${isListOpen.value ? ' with-list' : ''}${hasDetails ? ' with-details' : ''}`;
  return (
    <div class="ticket-room">
      <div class={`ticket-page${layout} narrow-${narrowPane.value}`}>
        {isListOpen.value && <div class="beside-list">{isDrawn && <ListPane compact />}</div>}
        {state.kind === 'refused' ? (
          <RefusedPage title={t.ticketRefused} refusal={state.refusal} onRetry={() => void reload(ulid)} />
        ) : state.kind === 'loading' ? (
          <TicketSkeleton />
        ) : (
          <OpenTicket key={state.ticket.ulid} ticket={state.ticket} wanted={wanted} problem={state.problem} />
        )}
        {!isRefused && (hasDetails || narrowPane.value === 'details') && (
          <div class="details-pane">{isResting && isDrawn && <Details ticket={ulid} />}</div>
        )}
      </div>
      {state.kind === 'shown' && (
        <>
          <Dialogs ticket={state.ticket} />
          <PrintSheet ticket={state.ticket} />
        </>
      )}
      <Viewer />
    </div>
  );
}

/** The conversation comes first, and what stands beside it in the frame after: together they take twice as long to draw. */
function useIsDrawn(): boolean {
  const isDrawn = useSignal(false);
  useEffect(() => {
    isDrawn.value = true;
  }, []);
  return isDrawn.value;
}

interface OpenTicketProps {
  ticket: TicketDetail;
  wanted: string | null;
  problem: Parameters<typeof refusalText>[0] | null;
}

function OpenTicket({ ticket, wanted, problem }: OpenTicketProps) {
  const handles = {
    status: useRef<Opener>(null),
    assignee: useRef<Opener>(null),
    snooze: useRef<Opener>(null),
    menu: useRef<Opener>(null),
  };
  const title = `${ticket.reference} ${ticket.subject}`;
  useTicketCommands(ticket, handles);
  usePresence(ticket.ulid);
  useReadMark(ticket);
  useAddress(ticket);
  usePageTitle(title);
  useEffect(() => {
    const timer = setTimeout(() => prefetchNeighbours(ticket.ulid), afterPaintMs);
    return () => clearTimeout(timer);
  }, [ticket.ulid]);
  return (
    <main id="content" class="ticket" tabIndex={-1}>
      <TicketHeader ticket={ticket} handles={handles} />
      {problem !== null && (
        <div role="alert" class="ticket-problem">
          <Notice kind="problem">{t.ticketOld(refusalText(problem) ?? '')}</Notice>
        </div>
      )}
      <Conversation ticket={ticket} wanted={wanted} />
      <PresenceLine ticket={ticket.ulid} />
      <div class="composer-place">
        <Composer ticket={ticket.ulid} />
      </div>
    </main>
  );
}

// This ticket comes first, and the list beside it may still be loading.
const afterPaintMs = 250;

function prefetchNeighbours(ulid: string): void {
  const { previous, next } = neighbours(ulid);
  for (const one of [previous, next]) if (one !== null) prefetch(one);
}

/** Merged tickets lead to where their messages are; a number in the address becomes the ulid that links have. */
function useAddress({ ulid, reference, merged_into: into }: TicketDetail): void {
  const isFollowed = useSignal(false);
  useEffect(() => {
    const { name, path, ...here } = route.peek();
    if (into !== null && !isFollowed.peek()) {
      isFollowed.value = true;
      go(`/tickets/${into}`, { replace: true });
      announce(t.mergedFrom(reference));
    } else if (name === 'ticket' && 'ticket' in here && here.ticket !== ulid)
      go(path.replace(/^\/tickets\/[^?]*/, `/tickets/${ulid}`), { replace: true });
  }, [ulid, into]);
}

function Dialogs({ ticket }: { ticket: TicketDetail }) {
  const dialog = openedDialog.value;
  switch (dialog?.name) {
    case 'merge':
      return <MergeDialog ticket={ticket} />;
    case 'split':
      return <SplitDialog ticket={ticket} message={dialog.message} />;
    case 'delete-note':
      return <DeleteNote ticket={ticket.ulid} note={dialog.note} />;
    case 'snooze':
      return <SnoozeDialog ticket={ticket} />;
    case 'erase':
      return ticket.author === null ? null : (
        <EraseAuthor ticket={ticket} author={ticket.author} onClose={closeDialog} />
      );
    default:
      return null;
  }
}

// A ticket: list, conversation, composer and details.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { now } from '../../shared/clock.ts';
import { announce, Notice } from '../../shared/notices.tsx';
import type { Opener } from '../../shared/popover.ts';
import { refusalText } from '../../shared/refusal-text.ts';
import { Composer } from '../composer/composer.tsx';
import { Details } from '../details/details.tsx';
import { EraseAuthor } from '../details/erase-author.tsx';
import { Picking } from '../list/list-page.tsx';
import { ListPane } from '../list/list-pane.tsx';
import { subjectText } from '../list/messages.ts';
import { neighbours } from '../list/ticket-list.ts';
import { usePageTitle } from '../page-title.ts';
import { go, route } from '../route.ts';
import { can } from '../session.ts';
import { onDemand } from '../shell/on-demand.tsx';
import { RefusedPage } from '../shell/refused.tsx';
import { openedTicket, prefetch, reload, type TicketState, ticketSignal } from '../tickets/cache.ts';
import { offerUndo } from '../undo.ts';
import type { TicketDetail } from '../wire.ts';
import { Conversation } from './conversation/conversation.tsx';
import { PrintSheet } from './conversation/print-sheet.tsx';
import { closeDialog, openedDialog } from './dialogs/dialogs.ts';
import { MergeDialog } from './dialogs/merge-dialog.tsx';
import { SnoozeDialog } from './dialogs/snooze.tsx';
import { SplitDialog } from './dialogs/split-dialog.tsx';
import { Viewer } from './files/viewer.tsx';
import { PresenceLine } from './header/presence-line.tsx';
import { TicketHeader } from './header/ticket-header.tsx';
import { DeleteNote } from './message/note-actions.tsx';
import { t } from './messages.ts';
import { areDetailsOpen, isListOpen, narrowPane } from './panes.ts';
import { ForwardDialog } from './side-conversations/forward-dialog.tsx';
import { useStepCommands, useTicketCommands } from './ticket-commands.ts';
import { undoMergeAndReturn } from './unmerge.ts';
import { usePresence, useReadMark } from './use-presence.ts';

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
        ) : (
          // The same element while it loads and after that, which keeps the focus.
          <main
            id="content"
            class={state.kind === 'loading' ? 'ticket ticket-skeleton' : 'ticket'}
            tabIndex={-1}
            {...(state.kind === 'loading' && { 'aria-busy': true, 'aria-label': t.ticketLoading })}
          >
            {state.kind === 'loading' ? (
              <TicketSkeleton />
            ) : (
              <OpenTicket key={state.ticket.ulid} ticket={state.ticket} wanted={wanted} problem={state.problem} />
            )}
          </main>
        )}
        {!isRefused && (hasDetails || narrowPane.value === 'details') && (
          <div class="details-pane">{isResting && isDrawn && <Details ticket={ulid} />}</div>
        )}
      </div>
      {state.kind === 'shown' && (
        <>
          <Dialogs ticket={state.ticket} />
          <Picking />
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
    team: useRef<Opener>(null),
    snooze: useRef<Opener>(null),
    menu: useRef<Opener>(null),
  };
  const title = `${ticket.reference} ${subjectText(ticket.subject)}`;
  useTicketCommands(ticket, handles);
  // First, so that one request says both.
  useReadMark(ticket);
  usePresence(ticket.ulid);
  useAddress(ticket);
  usePageTitle(title);
  useEffect(() => {
    const timer = setTimeout(() => prefetchNeighbours(ticket.ulid), afterPaintMs);
    return () => clearTimeout(timer);
  }, [ticket.ulid]);
  return (
    <>
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
    </>
  );
}

// This ticket comes first, and the list beside it may still be loading.
const afterPaintMs = 250;

function prefetchNeighbours(ulid: string): void {
  const { previous, next } = neighbours(ulid);
  for (const one of [previous, next]) if (one !== null) prefetch(one);
}

// With its note: a merge of long ago is not undone by a key without one.
const undoMs = 10_000;

/** Merged tickets lead to where their messages are; a number in the address becomes the ulid that links have. */
function useAddress({ ulid, reference, merged_into: into, merges }: TicketDetail): void {
  const isFollowed = useSignal(false);
  useEffect(() => {
    const { name, path, ...here } = route.peek();
    if (into !== null && !isFollowed.peek()) {
      isFollowed.value = true;
      go(`/tickets/${into}`, { replace: true });
      if (merges.length === 0 || !can('write')) announce(t.mergedFrom(reference));
      else offerUndo(t.mergedFrom(reference), () => undoMergeAndReturn({ ulid, reference }), undoMs);
    } else if (name === 'ticket' && 'ticket' in here && here.ticket !== ulid)
      go(path.replace(/^\/tickets\/[^?]*/, `/tickets/${ulid}`), { replace: true });
  }, [ulid, into]);
}

const OriginalDialog = onDemand(async () => (await import('../shell/more-pages.ts')).OriginalDialog, closeDialog);

function Dialogs({ ticket }: { ticket: TicketDetail }) {
  const dialog = openedDialog.value;
  switch (dialog?.name) {
    case 'merge':
      return <MergeDialog ticket={ticket} />;
    case 'split':
      return <SplitDialog ticket={ticket} message={dialog.message} />;
    case 'forward':
      return <ForwardDialog ticket={ticket} message={dialog.message} />;
    case 'original':
      return <OriginalDialog ticket={ticket.ulid} message={dialog.message} onClose={closeDialog} />;
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

/** The layout of a ticket while it is loaded. It appears only if that takes a moment. */
function TicketSkeleton() {
  return (
    <>
      <span class="skeleton-bar subject-skeleton" />
      <span class="skeleton-bar fields-skeleton" />
      <span class="skeleton-bar message-skeleton" />
      <span class="skeleton-bar message-skeleton short" />
      <span class="skeleton-bar message-skeleton" />
    </>
  );
}

// Whether the agent stays at a place: at once after a pause, and only at the end of a row of quick steps, such as of a held key.
const restMs = 150;

function useResting(place: string): boolean {
  const last = useRef({ place, at: 0, isQuick: false });
  const rested = useSignal(place);
  if (last.current.place !== place) {
    const at = now();
    last.current = { place, at, isQuick: at - last.current.at < restMs };
  }
  useEffect(() => {
    const timer = setTimeout(() => {
      rested.value = place;
    }, restMs);
    return () => clearTimeout(timer);
  }, [place]);
  return !last.current.isQuick || rested.value === place;
}

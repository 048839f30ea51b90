// The head of a ticket: its subject, reference, status, assignee and what can be done with it.

import type { RefObject } from 'preact';
import type { Opener } from '../../../shared/popover.ts';
import { go, lastListPath } from '../../route.ts';
import type { TicketDetail } from '../../wire.ts';
import { copyTicketLink } from '../copying.ts';
import { SnoozeMenu } from '../dialogs/snooze.tsx';
import { t } from '../messages.ts';
import { areDetailsOpen, isListOpen, narrowPane } from '../panes.ts';
import { PresentFaces } from './presence-line.tsx';
import { SpamMenu } from './spam-menu.tsx';
import { Subject } from './subject.tsx';
import { AssigneeField, StatusField, TeamField } from './ticket-fields.tsx';
import { TicketIcon } from './ticket-icons.tsx';
import { TicketMenu } from './ticket-menu.tsx';

export interface HeaderHandles {
  status: RefObject<Opener | null>;
  assignee: RefObject<Opener | null>;
  team: RefObject<Opener | null>;
  snooze: RefObject<Opener | null>;
  menu: RefObject<Opener | null>;
}

export function TicketHeader({ ticket, handles }: { ticket: TicketDetail; handles: HeaderHandles }) {
  return (
    <header class="ticket-header">
      <div class="header-line">
        <button
          type="button"
          class="icon-button to-list"
          aria-label={t.backToList}
          title={t.backToList}
          onClick={() => go(lastListPath.value)}
        >
          <TicketIcon name="back" />
        </button>
        <button
          type="button"
          class="icon-button wide-only"
          aria-label={isListOpen.value ? t.hideList : t.showList}
          title={isListOpen.value ? t.hideList : t.showList}
          aria-expanded={isListOpen.value}
          onClick={() => {
            isListOpen.value = !isListOpen.value;
          }}
        >
          <TicketIcon name="listPane" />
        </button>
        <button
          type="button"
          class="reference"
          aria-label={t.copyLink(ticket.reference)}
          title={t.copyLink(ticket.reference)}
          onClick={() => void copyTicketLink(ticket.ulid)}
        >
          {ticket.reference}
        </button>
        <Subject key={ticket.ulid} ticket={ticket} />
        <PresentFaces ticket={ticket.ulid} />
        <TicketMenu ticket={ticket} handle={handles.menu} />
        <DetailsToggle />
      </div>
      <div class="header-line ticket-fields">
        <StatusField ticket={ticket} handle={handles.status} />
        <AssigneeField ticket={ticket} handle={handles.assignee} />
        <TeamField ticket={ticket} handle={handles.team} />
        <SnoozeMenu ticket={ticket} handle={handles.snooze} />
        {ticket.is_spam && <span class="badge warning">{t.spam}</span>}
        {ticket.is_spam && <SpamMenu ticket={ticket} />}
        {ticket.is_test && <span class="badge">{t.testBadge}</span>}
      </div>
    </header>
  );
}

function DetailsToggle() {
  const isNarrowOpen = narrowPane.value === 'details';
  return (
    <>
      <button
        type="button"
        class="icon-button not-narrow"
        aria-label={areDetailsOpen.value ? t.hideDetails : t.showDetails}
        title={areDetailsOpen.value ? t.hideDetails : t.showDetails}
        aria-expanded={areDetailsOpen.value}
        onClick={() => {
          areDetailsOpen.value = !areDetailsOpen.value;
        }}
      >
        <TicketIcon name="detailsPane" />
      </button>
      <button
        type="button"
        class="icon-button narrow-only"
        aria-label={isNarrowOpen ? t.backToConversation : t.showDetails}
        title={isNarrowOpen ? t.backToConversation : t.showDetails}
        aria-expanded={isNarrowOpen}
        onClick={() => {
          narrowPane.value = isNarrowOpen ? 'conversation' : 'details';
        }}
      >
        <TicketIcon name="detailsPane" />
      </button>
    </>
  );
}

// The layout of a ticket while it is loaded. It appears only if that takes a moment.

import { t } from './messages.ts';

export function TicketSkeleton() {
  return (
    <main id="content" class="ticket ticket-skeleton" tabIndex={-1} aria-busy="true" aria-label={t.ticketLoading}>
      <span class="bone subject-bone" />
      <span class="bone fields-bone" />
      <span class="bone message-bone" />
      <span class="bone message-bone short" />
      <span class="bone message-bone" />
    </main>
  );
}

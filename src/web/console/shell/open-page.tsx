// The page of the route. All but the list are loaded when they are first opened.

import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { timer } from '../../shared/clock.ts';
import { ListPage } from '../list/list-page.tsx';
import { openList } from '../list/ticket-list.ts';
import { route } from '../route.ts';
import type { Route } from '../route-of.ts';
import { can, session } from '../session.ts';
import { prefetch } from '../tickets/cache.ts';
import { isFirstShown, type OnDemandPart, onDemandPart } from './load-part.ts';
import { NotFound } from './not-found.tsx';
import { PartMissing } from './refused.tsx';

const parts = {
  ticket: onDemandPart<ComponentType>(async () => (await import('../ticket/ticket-page.tsx')).TicketPage),
  'new-ticket': onDemandPart<ComponentType>(
    async () => (await import('../new-ticket/new-ticket-page.tsx')).NewTicketPage,
  ),
  customers: onDemandPart<ComponentType>(async () => (await import('./more-pages.ts')).CustomersPage),
  customer: onDemandPart<ComponentType>(async () => (await import('./more-pages.ts')).CustomerPage),
  heldMail: onDemandPart<ComponentType>(async () => (await import('./more-pages.ts')).HeldMailPage),
  notifications: onDemandPart<ComponentType>(async () => (await import('./more-pages.ts')).NotificationsPage),
  profile: onDemandPart<ComponentType>(async () => (await import('../profile/profile-page.tsx')).ProfilePage),
  reports: onDemandPart<ComponentType>(async () => (await import('../reports/reports-page.tsx')).ReportsPage),
  settings: onDemandPart<ComponentType>(async () => (await import('../settings/settings-page.tsx')).SettingsPage),
} satisfies Record<string, OnDemandPart<ComponentType>>;

const prepareAfterMs = 2000;

type Part = keyof typeof parts;

/** So that the first ticket opens as fast as the next. A list comes first: while it waits for its rows the browser is idle too. */
function prepare(): () => void {
  const begin = () => void parts.ticket.begin();
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in globalThis)) {
    return timer.later(prepareAfterMs, begin);
  }
  const id = requestIdleCallback(begin, { timeout: prepareAfterMs });
  return () => cancelIdleCallback(id);
}

export function OpenPage() {
  const part = partOf(route.value);
  useEffect(() => {
    const here = route.peek();
    // Together with the code that shows it.
    if (here.name === 'ticket') prefetch(here.ticket);
  }, []);
  const isShown = part !== 'list' || openList.value?.rows.total.value != null;
  useEffect(() => {
    if (!isShown) return;
    isFirstShown.value = true;
    return prepare();
  }, [isShown]);
  if (part === 'list') return <ListPage />;
  if (part === null) return <NotFound />;
  return <LoadedPage key={part} part={part} />;
}

function partOf(here: Route): Part | 'list' | null {
  if (session.value?.must_add_second_factor) return 'profile';
  switch (here.name) {
    case 'inbox':
      return here.view === 'held-mail' ? 'heldMail' : 'list';
    case 'search':
      return 'list';
    case 'new-ticket':
      return can('write') ? 'new-ticket' : null;
    case 'unknown':
      return null;
    default:
      return here.name;
  }
}

/** Unless a control has the focus. */
export function focusContent(): void {
  if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
}

/** The page that comes takes the place of an empty one, and its focus. */
function LoadedPage({ part }: { part: Part }) {
  const { state, begin } = parts[part];
  const { value: found } = state;
  const place = useRef<HTMLElement>(null);
  const hadFocus = place.current?.matches(':focus');
  useEffect(() => void begin(), [part]);
  useLayoutEffect(() => {
    if (hadFocus) focusContent();
  }, [found]);
  if (found === null) return <main ref={place} id="content" tabIndex={-1} aria-busy="true" />;
  if (found === 'failed') {
    return (
      <main id="content" class="page-note" tabIndex={-1}>
        <PartMissing heading="h1" onRetry={() => void begin()} />
      </main>
    );
  }
  return <found.part />;
}

// The page of the route. All but the list are loaded when they are first opened.

import { type Signal, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { ListPage } from '../list/list-page.tsx';
import { openList } from '../list/ticket-list.ts';
import { route } from '../route.ts';
import type { Route } from '../route-of.ts';
import { session } from '../session.ts';
import { prefetch } from '../tickets/cache.ts';
import { loadPart } from './load-part.ts';
import { t } from './messages.ts';
import { NotFound } from './not-found.tsx';

const sources = {
  ticket: async () => (await import('../ticket/ticket-page.tsx')).TicketPage,
  customers: async () => (await import('./more-pages.ts')).CustomersPage,
  customer: async () => (await import('./more-pages.ts')).CustomerPage,
  heldMail: async () => (await import('./more-pages.ts')).HeldMailPage,
  profile: async () => (await import('../profile/profile-page.tsx')).ProfilePage,
} satisfies Record<string, () => Promise<ComponentType>>;

const prepareAfterMs = 2000;

type Part = keyof typeof sources;

type Loaded = { page: ComponentType } | 'failed' | null;
const parts = new Map<Part, Signal<Loaded>>();

function stateOf(part: Part): Signal<Loaded> {
  const state = parts.get(part) ?? signal<Loaded>(null);
  parts.set(part, state);
  return state;
}

async function load(part: Part): Promise<void> {
  const state = stateOf(part);
  if (state.peek() !== null && state.peek() !== 'failed') return;
  try {
    state.value = { page: await loadPart<ComponentType>(sources[part]) };
  } catch (error) {
    console.error(error);
    state.value = 'failed';
  }
}

/** So that the first ticket opens as fast as the next. A list comes first: while it waits for its rows the browser is idle too. */
function prepare(): () => void {
  const begin = () => void load('ticket');
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(begin, prepareAfterMs);
    return () => clearTimeout(timer);
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
  useEffect(() => (isShown ? prepare() : undefined), [isShown]);
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
    case 'ticket':
    case 'customers':
    case 'customer':
    case 'profile':
      return here.name;
    default:
      return null;
  }
}

function LoadedPage({ part }: { part: Part }) {
  const state = stateOf(part).value;
  useEffect(() => {
    void load(part);
  }, [part]);
  if (state === null) return <main id="content" tabIndex={-1} aria-busy="true" />;
  if (state === 'failed') {
    return (
      <main id="content" class="page-note" tabIndex={-1}>
        <h1>{t.partMissing}</h1>
        <p>{t.partMissingText}</p>
        <Button kind="primary" onClick={() => void load(part)}>
          {t.tryAgain}
        </Button>
      </main>
    );
  }
  const { page: Page } = state;
  return <Page />;
}

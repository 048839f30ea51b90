// The page of the route. All but the list are loaded when they are first opened.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { language, loadMessages } from '../../shared/messages.ts';
import { ListPage } from '../list/list-page.tsx';
import { route } from '../route.ts';
import { NotFound } from './not-found.tsx';

/** Null while it is loaded. */
type Loaded = ReadonlySignal<ComponentType | null>;

const pages: Record<'ticket' | 'customers' | 'customer' | 'profile', () => Promise<ComponentType>> = {
  ticket: async () => (await import('../ticket/ticket-page.tsx')).TicketPage,
  customers: async () => (await import('../customers/customers-page.tsx')).CustomersPage,
  customer: async () => (await import('../customers/customers-page.tsx')).CustomersPage,
  profile: async () => (await import('../../profile/profile-page.tsx')).ProfilePage,
};

const opened = new Map<keyof typeof pages, Loaded>();

function loaded(name: keyof typeof pages): Loaded {
  const known = opened.get(name);
  if (known !== undefined) return known;
  const page = signal<ComponentType | null>(null);
  opened.set(name, page);
  void (async () => {
    const Page = await pages[name]();
    // Its messages were added with its code.
    await loadMessages(language());
    page.value = Page;
  })();
  return page;
}

export function OpenPage() {
  const { name } = route.value;
  switch (name) {
    case 'inbox':
    case 'search':
      return <ListPage />;
    case 'ticket':
    case 'customers':
    case 'customer':
    case 'profile': {
      const Page = loaded(name).value;
      return Page === null ? null : <Page />;
    }
    default:
      return <NotFound />;
  }
}

// The tickets and customers that fit what was typed into the palette.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../../shared/signed-in.ts';
import type { CustomerPage, CustomerRow } from '../customers/wire.ts';
import { chosenSite } from '../session.ts';

interface FoundTicket {
  ulid: string;
  reference: string;
  subject: string;
  status: string;
  author: { name: string | null; email: string | null } | null;
}

const pauseMs = 150;

interface Found {
  tickets: readonly FoundTicket[];
  customers: readonly CustomerRow[];
}

const nothing: Found = { tickets: [], customers: [] };

/** Waits for a pause in the typing; an answer to older words is not shown. Both come together, so that nothing moves. */
export function useFound(typed: string): Found & { isSearching: boolean } {
  const found = useSignal(nothing);
  const isSearching = useSignal(false);
  useEffect(() => {
    if (typed.trim().length < 2) {
      found.value = nothing;
      isSearching.value = false;
      return;
    }
    let isCurrent = true;
    isSearching.value = true;
    const search = async () => {
      const site = chosenSite.peek();
      const [tickets, customers] = await Promise.all([
        ask<{ data: FoundTicket[] }>('GET', ticketQuery(typed, site)),
        isReference(typed) ? null : ask<CustomerPage>('GET', customerQuery(typed, site)),
      ]);
      if (!isCurrent) return;
      isSearching.value = false;
      found.value = {
        tickets: tickets.isOk ? tickets.data.data : [],
        customers: customers?.isOk ? customers.data.data.filter(({ anonymised_at: erased }) => erased === null) : [],
      };
    };
    const timer = setTimeout(() => void search(), pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [typed]);
  return { ...found.value, isSearching: isSearching.value };
}

export const isReference = (typed: string) => /^#\d+$/.test(typed.trim());

// What the palette asks for.
const most = 8;
const mostCustomers = 5;

/** `email` finds all of a customer, `q` takes words, `#41` and ulids. */
export function ticketQuery(typed: string, siteId: number | null): string {
  const wanted = typed.trim();
  const isAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(wanted);
  const query = new URLSearchParams(isAddress ? { email: wanted } : { q: wanted });
  if (siteId !== null) query.set('site_id', String(siteId));
  query.set('per_page', String(most));
  return `/tickets?${query}`;
}

function customerQuery(typed: string, siteId: number | null): string {
  const query = new URLSearchParams({ q: typed.trim(), per_page: String(mostCustomers) });
  if (siteId !== null) query.set('site_id', String(siteId));
  return `/customers?${query}`;
}

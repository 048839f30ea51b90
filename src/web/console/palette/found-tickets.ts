// The tickets that fit what was typed into the palette.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../../shared/signed-in.ts';
import { chosenSite } from '../session.ts';

interface FoundTicket {
  ulid: string;
  reference: string;
  subject: string;
  status: string;
  author: { name: string | null; email: string | null } | null;
}

const pauseMs = 150;

/** Waits for a pause in the typing; an answer to older words is not shown. */
export function useFoundTickets(typed: string): { tickets: readonly FoundTicket[]; isSearching: boolean } {
  const found = useSignal<readonly FoundTicket[]>([]);
  const isSearching = useSignal(false);
  useEffect(() => {
    if (typed.trim().length < 2) {
      found.value = [];
      isSearching.value = false;
      return;
    }
    let isCurrent = true;
    isSearching.value = true;
    const search = async () => {
      const answer = await ask<{ data: FoundTicket[] }>('GET', ticketQuery(typed, chosenSite.peek()));
      if (!isCurrent) return;
      isSearching.value = false;
      found.value = answer.isOk ? answer.data.data : [];
    };
    const timer = setTimeout(() => void search(), pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [typed]);
  return { tickets: found.value, isSearching: isSearching.value };
}

// Which tickets the palette asks for.
const most = 8;

/** `email` finds all of a customer, `q` takes words, `#41` and ulids. */
export function ticketQuery(typed: string, siteId: number | null): string {
  const wanted = typed.trim();
  const isAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(wanted);
  const query = new URLSearchParams(isAddress ? { email: wanted } : { q: wanted });
  if (siteId !== null) query.set('site_id', String(siteId));
  query.set('per_page', String(most));
  return `/tickets?${query}`;
}

// The customers of a site whom a few words find, a moment after the last letter.

import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../../shared/signed-in.ts';
import type { CustomerPage, CustomerRow } from './wire.ts';

const pauseMs = 200;

export function useFoundCustomers(siteId: number, words: string): ReadonlySignal<readonly CustomerRow[]> {
  const rows = useSignal<readonly CustomerRow[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const look = async () => {
      const query = new URLSearchParams({ q: words, site_id: String(siteId), per_page: '8' });
      const answer = words === '' ? null : await ask<CustomerPage>('GET', `/customers?${query}`);
      if (!isCurrent || answer?.isOk === false) return;
      rows.value = (answer?.data.data ?? []).filter(({ anonymised_at: erased }) => erased === null);
    };
    const timer = setTimeout(() => void look(), pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [words, siteId]);
  return rows;
}

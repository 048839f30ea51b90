// Who the ticket is for: found by name or address, or a new address.

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { describedBy, FieldNotes } from '../../shared/field.tsx';
import { movedBy } from '../../shared/list-keys.ts';
import { CompletionList } from '../composer/completion-list.tsx';
import { t } from '../composer/messages.ts';
import { useFoundCustomers } from '../customers/found-customers.ts';
import type { CustomerRow } from '../customers/wire.ts';

/** Ids of customers by their address. */
export type Found = ReadonlyMap<string, number>;

interface CustomerFieldProps {
  siteId: number;
  found: Signal<Found>;
  input: { name: string; value: string; problem: string | undefined; onValue: (value: string) => void };
}

export function CustomerField({ siteId, found, input: { name, value, problem, onValue } }: CustomerFieldProps) {
  const id = useId();
  const isOpen = useSignal(false);
  const active = useSignal(-1);
  const picked = useRef<CustomerRow | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const words = value.trim();
  const rows = useFoundCustomers(siteId, words);

  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    // Of several with one address, the one that an application vouches for.
    const sorted = [...rows.value].sort((one, other) => Number(one.is_verified) - Number(other.is_verified));
    const chosen = rows.value.find(({ id: one }) => one === picked.current?.id);
    found.value = new Map([...sorted, ...(chosen ? [chosen] : [])].map((row) => [row.email, row.id]));
  }, [rows.value]);

  const offers = isOpen.value
    ? rows.value.map((row) => ({
        id: row.id,
        text: row.name ?? row.email,
        hint: row.name === null ? undefined : row.email,
      }))
    : [];
  const isShown = offers.length > 0;
  const at = Math.min(active.value, offers.length - 1);

  function take(customerId: number): void {
    const row = rows.value.find((one) => one.id === customerId);
    if (row === undefined) return;
    picked.current = row;
    found.value = new Map([...found.value, [row.email, row.id]]);
    isOpen.value = false;
    onValue(row.email);
  }

  function press(event: KeyboardEvent): void {
    if (!isShown || event.isComposing || event.ctrlKey || event.metaKey) return;
    const offer = offers[at];
    const moved = event.key === 'Home' || event.key === 'End' ? null : movedBy(event.key, at, offers.length);
    if (moved !== null) active.value = moved;
    else if (event.key === 'Enter' && offer !== undefined) take(offer.id);
    else if (event.key === 'Escape') isOpen.value = false;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const known = rows.value.find((row) => row.id === found.value.get(words.toLowerCase()));
  const hint = known?.name == null ? t.newTicketCustomerHint : t.newTicketKnown(known.name);
  return (
    <div class="field">
      <label for={id}>{t.customer}</label>
      <input
        ref={field}
        id={id}
        name={name}
        type="text"
        inputMode="email"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? `${id}-found` : undefined}
        aria-activedescendant={isShown && at >= 0 ? `${id}-found-${at}` : undefined}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        required
        value={value}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={describedBy(id, hint, problem)}
        onInput={({ currentTarget: { value: typed } }) => {
          isOpen.value = true;
          // A name is not enough; an address is, and Enter must not make another of it.
          active.value = typed.includes('@') ? -1 : 0;
          picked.current = null;
          onValue(typed);
        }}
        onKeyDown={press}
        onBlur={() => {
          isOpen.value = false;
        }}
      />
      <CompletionList
        id={`${id}-found`}
        anchor={field}
        label={t.newTicketFound}
        side="below"
        offers={offers}
        active={at}
        onTake={(offer) => take(offer.id)}
      />
      <FieldNotes id={id} hint={hint} problem={problem} />
    </div>
  );
}

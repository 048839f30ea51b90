// Adds a person: one whom the site knows, found by name or address, or a new address.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { withoutBidi } from '../../shared/bidi.ts';
import { Combobox } from '../../shared/combobox.tsx';
import { Icon } from '../../shared/icons.tsx';
import { useFoundCustomers } from './found-customers.ts';
import type { CustomerRow } from './wire.ts';

export interface NamedAddress {
  email: string;
  name: string | null;
}

interface AddPersonProps {
  siteId: number;
  label: string;
  /** Addresses that are there already. */
  without: readonly string[];
  onAdd: (person: NamedAddress) => void;
  children: ComponentChildren;
}

export function AddPerson({ siteId, label, without, onAdd, children }: AddPersonProps) {
  const words = useSignal('');
  const rows = useFoundCustomers(siteId, words.value.trim());
  const people = offeredFor(words.value, rows.value, without);
  return (
    <Combobox
      label={label}
      search
      class="plain add-tag"
      value={null as string | null}
      options={people.map(({ email, name, isNew }) => ({
        value: email as string | null,
        text: withoutBidi(name ?? email),
        hint: name === null ? undefined : email,
        icon: <Icon name={isNew ? 'plus' : 'person'} />,
      }))}
      onType={(typed) => {
        words.value = typed;
      }}
      onChange={(chosen) => {
        const person = people.find(({ email }) => email === chosen);
        if (person !== undefined) onAdd({ email: person.email, name: person.name });
      }}
    >
      <span class="combobox-value soft">{children}</span>
    </Combobox>
  );
}

/** Each address once: several customers can have the same. */
export function offeredFor(
  typed: string,
  rows: readonly Pick<CustomerRow, 'email' | 'name'>[],
  without: readonly string[],
): (NamedAddress & { isNew: boolean })[] {
  const email = typed.trim().toLowerCase();
  if (email === '') return [];
  const isAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email);
  const known = new Map<string, string | null>();
  for (const row of rows) known.set(row.email, known.get(row.email) ?? row.name);
  const all = [...known].map(([address, name]) => ({ email: address, name, isNew: false }));
  if (isAddress && !known.has(email)) all.unshift({ email, name: null, isNew: true });
  return all.filter((one) => !without.includes(one.email));
}

// How a customer is called, and how many tickets they have.

import { count } from '../../shared/format.ts';
import { t } from './messages.ts';
import type { CustomerRow } from './wire.ts';

export function nameOf({ name, email, anonymised_at }: Pick<CustomerRow, 'name' | 'email' | 'anonymised_at'>): string {
  return anonymised_at === null ? (name ?? email) : t.erasedCustomer;
}

const countedUpTo = 1000;

export function ticketsOf(counted: number): string {
  return counted < countedUpTo ? count(counted) : `${count(countedUpTo)}+`;
}

// How a customer is called.

import { t } from './messages.ts';
import type { CustomerRow } from './wire.ts';

export function nameOf({ name, email, anonymised_at }: Pick<CustomerRow, 'name' | 'email' | 'anonymised_at'>): string {
  return anonymised_at === null ? (name ?? email) : t.erasedCustomer;
}

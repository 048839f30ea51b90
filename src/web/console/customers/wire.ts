// Customers as the desk answers them.

import type * as z from 'zod';
import type { customerDetailShape, customerShape } from '../../../http/wire/customers/customers.ts';

export type CustomerRow = z.output<typeof customerShape>;
export type Customer = z.output<typeof customerDetailShape>;

export interface CustomerPage {
  data: CustomerRow[];
  meta: { current_page: number; last_page: number; per_page: number; total: number };
}

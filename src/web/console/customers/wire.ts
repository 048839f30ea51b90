// Customers as the desk answers them (docs/spec/console.md).

import type { Ticket } from '../wire.ts';

export interface CustomerRow {
  id: number;
  external_id: string | null;
  name: string | null;
  email: string;
  is_verified: boolean;
  anonymised_at: string | null;
  site_id: number;
  ticket_count: number;
  open_count: number;
  last_ticket_at: string | null;
}

export interface Customer extends CustomerRow {
  created_at: string;
  /** The newest 20. */
  tickets: Ticket[];
}

export interface CustomerPage {
  data: CustomerRow[];
  meta: { current_page: number; last_page: number; per_page: number; total: number };
}

// Said before tickets of several customers become one.

import { Notice } from '../../../shared/notices.tsx';
import type { Ticket } from '../../wire.ts';
import { t } from '../messages.ts';

export function SeveralCustomers({ tickets }: { tickets: readonly Pick<Ticket, 'author'>[] }) {
  const customers = new Set(tickets.map(({ author }) => author?.id));
  return customers.size > 1 ? <Notice kind="hint">{t.mergeSeveralCustomers}</Notice> : null;
}

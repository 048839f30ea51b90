// The messages of customers and held mail, in German.

import type { CustomersMessages } from '../en/customers.ts';

export const messages: CustomersMessages = {
  customers: 'Kunden',
};

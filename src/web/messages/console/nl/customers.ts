// The messages of customers and held mail, in Dutch.

import type { CustomersMessages } from '../en/customers.ts';

export const messages: CustomersMessages = {
  customers: 'Klanten',
};

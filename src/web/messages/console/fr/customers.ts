// The messages of customers and held mail, in French.

import type { CustomersMessages } from '../en/customers.ts';

export const messages: CustomersMessages = {
  customers: 'Clients',
};

// The messages of customers and held mail, in Spanish.

import type { CustomersMessages } from '../en/customers.ts';

export const messages: CustomersMessages = {
  customers: 'Clientes',
};

// The messages of customers and held mail, in English.

import type { Same } from '../../en.ts';

export const messages = {
  customers: 'Customers',
};

export type CustomersMessages = Same<typeof messages>;

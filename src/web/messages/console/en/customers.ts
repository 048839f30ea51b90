// The messages of customers and held mail, in English.

import type { Same } from '../../en.ts';

export const messages = {
  // Customers
  customers: 'Customers',
  findCustomer: 'Name or address',
  customerColumn: 'Customer',
  siteColumn: 'Site',
  openColumn: 'Open',
  ticketsColumn: 'Tickets',
  lastTicketColumn: 'Last ticket',
  noCustomers: 'No customers yet',
  noCustomersText: 'Everyone who writes to the desk appears here, with all their tickets.',
  noCustomerFits: 'No customer fits',
  noCustomerFitsText: 'Try a part of the name or of the address, or show all sites.',
  customerCount: (count: string) => (count === '1' ? `${count} customer` : `${count} customers`),
  previousPage: 'Previous page',
  nextPage: 'Next page',
  pageOf: (page: string, last: string) => `Page ${page} of ${last}`,
  nextCustomer: 'Next customer',
  previousCustomer: 'Previous customer',

  // One customer
  allCustomers: 'All customers',
  addressIsVerified: 'The address is verified.',
  addressNotVerified: 'The address is not verified.',
  customerErased: (date: string) => `The data of this person were erased on ${date}.`,
  erasedCustomer: 'Erased person',
  customerId: 'Id in your application',
  customerSince: 'Customer since',
  newestTickets: 'Newest tickets',
  showAllTickets: (count: string) => `Show all ${count} tickets`,
  customerWithoutTickets: 'This customer has no tickets that you can see.',

  // Held mail
  heldMail: 'Held mail',
  heldMailLead: 'Mail and forms that need a decision before they become tickets.',
  noHeldMail: 'No mail is held',
  noHeldMailText: 'Mail waits here when its sender writes too much, is not known, or was marked as spam.',
  noSubject: 'No subject',
  unknownSender: 'Unknown sender',
  mailTo: (address: string) => `to ${address}`,
  release: 'Release',
  releaseMail: (subject: string) => `Release “${subject}”`,
  discard: 'Discard',
  discardMail: (subject: string) => `Discard “${subject}”`,
  mailDiscarded: (subject: string) => `“${subject}” was discarded.`,
  mailFiled: 'Filed.',
  openFiledTicket: 'Open the ticket',
  mailStillHeld: 'Released, but not filed as a ticket.',
  moreHeldMail: 'More mail waits. It appears when these are done.',
};

export type CustomersMessages = Same<typeof messages>;

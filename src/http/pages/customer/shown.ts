// What the customers' pages show, as the calls answer it.

import type { CustomerThread } from '../../wire/customer.ts';
import type { OwnTickets, Portal } from '../../wire/portal.ts';

export type ShownThread = CustomerThread;
export type ShownMessage = CustomerThread['messages'][number];
export type ShownFile = CustomerThread['attachments'][number];
export type ShownSite = CustomerThread['site'];
export type ShownPortal = Portal;
export type ShownField = Portal['custom_fields'][number];
export type ShownList = OwnTickets;

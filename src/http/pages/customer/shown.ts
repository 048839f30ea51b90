// What the customers' pages show, as the calls answer it.

import type { presentVisitPage } from '../../wire/customer.ts';
import type { OwnTickets, Portal } from '../../wire/portal.ts';

export type ShownThread = ReturnType<typeof presentVisitPage>;
export type ShownMessage = ShownThread['messages'][number];
export type ShownFile = ShownThread['looseFiles'][number];
export type ShownSite = ShownThread['site'];
export type ShownPortal = Portal;
export type ShownField = Portal['custom_fields'][number];
export type ShownList = OwnTickets;

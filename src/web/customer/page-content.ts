// What a page shows. The desk writes the page from it, and the script draws the same page from it again.

import type { Rating } from '../../domain/tickets/satisfaction.ts';
import type { presentVisitPage } from '../../http/wire/customers/customer.ts';
import type { OwnTickets, Portal } from '../../http/wire/customers/portal.ts';

/** Why the desk did not keep a rating. */
export type RatingProblem = 'too_long' | 'busy' | 'failed';

type Visit = ReturnType<typeof presentVisitPage>;
export type ShownSite = Visit['site'];
export type ShownThread = Omit<Visit, 'site'>;
export type ShownMessage = ShownThread['messages'][number];
export type ShownFile = ShownThread['looseFiles'][number];
export type ShownPortal = Portal;
export type ShownField = Portal['custom_fields'][number];
export type FileRules = Portal['attachments'];

/** What is in the form, by the names of its fields; several values where several can be chosen. */
export type FormValues = Record<string, string | string[]>;

export interface TicketPage {
  page: 'ticket';
  site: ShownSite;
  thread: ShownThread;
  files: FileRules;
}

export interface FormPage {
  page: 'form';
  site: ShownPortal;
  values: FormValues;
}

export interface TicketsPage {
  page: 'tickets';
  site: ShownPortal;
  /** Null until the address is proved. */
  list: OwnTickets | null;
  asked: { words: string; status: string };
}

export interface RatingPage {
  page: 'rating';
  site: ShownSite;
  rating: {
    reference: string;
    given: ShownThread['satisfaction'];
    isFinal: boolean;
    chosen: Rating | null;
    /** What was just sent was kept. */
    isSaved: boolean;
    /** Why what was just sent was not kept, with its words. */
    problem: RatingProblem | null;
    typed: string | null;
  };
}

export type PageContent =
  | TicketPage
  | FormPage
  | TicketsPage
  | RatingPage
  /** The site is null where the page must not tell which one it belongs to. */
  | { page: 'entrance' | 'missing'; site: ShownSite | null };

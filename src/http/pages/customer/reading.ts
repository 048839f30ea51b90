// What the customers' pages show, read with the same functions as their calls.

import type { Locale } from '../../../domain/people/preferences.ts';
import { ratings } from '../../../domain/tickets/satisfaction.ts';
import { subjectOr } from '../../../domain/tickets/subject.ts';
import { ticketStatuses } from '../../../domain/tickets/ticket.ts';
import { customerWords } from '../../../mail/outgoing/customer-words.ts';
import type {
  FormValues,
  PageContent,
  RatingPage,
  ShownField,
  ShownPortal,
} from '../../../web/customer/page-content.ts';
import { de, en, es, fr, nl } from '../../../web/messages/refused-files.ts';
import { mailText, refusedText, withoutRefused } from '../../../web/shared/refused-files.ts';
import { listCustomerTickets } from '../../api/customers/my-tickets.ts';
import { readPortal } from '../../api/customers/portal-sites.ts';
import { readRatable } from '../../api/customers/ratings.ts';
import { readCustomerPage } from '../../api/customers/thread.ts';
import type { Edge } from '../../operation.ts';

const refusedWords = { de, en, es, fr, nl };

const nothing: PageContent = { page: 'missing', site: null };

/** The same whether the ticket exists or not, unless the browser has opened it. */
export function shownTicket(
  edge: Edge,
  cookies: string | undefined,
  ulid: string,
  query: URLSearchParams,
): PageContent {
  const visit = readCustomerPage(edge, cookies, ulid, query.get('before'));
  if (visit === null) return { page: 'entrance', site: null };
  const { site, files, ...thread } = visit;
  // The page shows one of them.
  const messages = thread.messages.map((message) => (message.html === null ? message : { ...message, body: '' }));
  return { page: 'ticket', site, thread: { ...thread, messages }, files };
}

/** With what the desk adds to the text of a mail, or says in place of its subject, in the words of the page. */
export function inLanguage(shown: PageContent, language: Locale): PageContent {
  const titled = <Titled extends { subject: string }>(ticket: Titled): Titled => ({
    ...ticket,
    subject: subjectOr(customerWords[language].noSubject, ticket.subject),
  });
  if (shown.page === 'tickets' && shown.list !== null)
    return { ...shown, list: { ...shown.list, tickets: shown.list.tickets.map(titled) } };
  if (shown.page !== 'ticket') return shown;
  const inWords = (text: string) => {
    const told = withoutRefused(text);
    const words = mailText(told.body, refusedWords[language]);
    return told.refused.length === 0 ? words : `${words}\n\n[${refusedText(told, refusedWords[language])}]`;
  };
  const messages = shown.thread.messages.map((message) =>
    message.is_agent ? message : { ...message, body: inWords(message.body) },
  );
  return { ...shown, thread: { ...shown.thread, ticket: titled(shown.thread.ticket), messages } };
}

/** The page of a link that rates. @param sent what was just sent, and why it was not kept */
export function shownRating(
  edge: Edge,
  { link, secret }: { link: string; secret: string },
  query: URLSearchParams,
  sent: Pick<RatingPage['rating'], 'chosen' | 'problem' | 'typed'> | null = null,
): PageContent {
  const found = readRatable(edge, link, secret);
  if (found === null) return nothing;
  const { site, ...rating } = found;
  const chosen = ratings.find((one) => one === query.get('as')) ?? null;
  const isSaved = query.get('saved') === '1';
  return { page: 'rating', site, rating: { ...rating, chosen, isSaved, problem: null, typed: null, ...sent } };
}

export function shownForm(edge: Edge, slug: string, query: URLSearchParams): PageContent {
  const site = readPortal(edge, slug);
  return site === null ? nothing : { page: 'form', site, values: givenValues(site, query) };
}

export function shownTickets(
  edge: Edge,
  cookies: string | undefined,
  slug: string,
  query: URLSearchParams,
): PageContent {
  const site = readPortal(edge, slug);
  if (site?.portal !== 'form_and_tickets') return { page: 'missing', site };
  const list = listCustomerTickets(edge, cookies, slug, askedIn(query));
  const asked = { words: query.get('q')?.slice(0, 200) ?? '', status: query.get('status') ?? '' };
  return { page: 'tickets', site, list, asked };
}

/** What an address cannot mean is left out: a page answers, where the call refuses. */
function askedIn(query: URLSearchParams) {
  const [status, cursor] = [query.get('status'), query.get('cursor') ?? ''];
  return {
    q: query.get('q')?.slice(0, 200) ?? '',
    status: ticketStatuses.filter((one) => one === status),
    ...(/^\d{1,15}$/.test(cursor) ? { cursor: Number(cursor) } : {}),
  };
}

// What an address fills into the form of a site (docs/spec/customer.md): `subject`, `category` and `field.<key>`.

/** Longer values are cut, and the desk checks all of them again. */
const mostGiven = 10_000;

export function givenValues({ categories, custom_fields: own }: ShownPortal, query: URLSearchParams): FormValues {
  const given = (name: string) => (query.get(name) ?? '').slice(0, mostGiven);
  const named = given('category');
  const category = categories.find(({ id, slug, name }) => [String(id), slug, name].includes(named));
  return {
    email: '',
    name: '',
    category_id: category === undefined ? '' : String(category.id),
    subject: given('subject'),
    message: '',
    website: '',
    ...Object.fromEntries(
      own.map((field) => [`custom_fields.${field.key}`, givenTo(field, given(`field.${field.key}`))]),
    ),
  };
}

function givenTo({ type, options }: ShownField, given: string): string | string[] {
  switch (type) {
    case 'boolean':
      return ['true', '1', 'yes'].includes(given) ? 'true' : '';
    case 'select':
      return options.includes(given) ? given : '';
    case 'multiselect': {
      const parts = given.split(',').map((part) => part.trim());
      return options.filter((option) => parts.includes(option));
    }
    default:
      return given;
  }
}

// The customers of the desk, found by name or address.

import { useEffect, useRef } from 'preact/hooks';
import { now } from '../../shared/clock.ts';
import { ago, count, dateAndTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { useCommands } from '../commands.ts';
import { usePageTitle } from '../page-title.ts';
import { go, Link, route } from '../route.ts';
import { chosenSite, visibleSites } from '../session.ts';
import { Empty } from '../shell/empty.tsx';
import { useFetched } from '../shell/fetched.ts';
import { Refused } from '../shell/refused.tsx';
import { t } from './messages.ts';
import { nameOf, ticketsOf } from './name.ts';
import type { CustomerPage, CustomerRow } from './wire.ts';

const pauseMs = 200;

export function CustomersPage() {
  const { query } = route.value;
  const words = query.get('q') ?? '';
  const page = Math.max(1, Math.floor(Number(query.get('page') ?? 1)) || 1);
  const { data, refusal, isOld, reload } = useFetched<CustomerPage>(pathOf(words, page, chosenSite.value));
  const shown = data.value;
  const title = t.customers;
  usePageTitle(title);
  return (
    <main id="content" class="list-screen" tabIndex={-1} aria-busy={isOld || undefined}>
      <header class="screen-head">
        <h1>{t.customers}</h1>
        {shown !== null && <p class="soft">{t.customerCount(count(shown.meta.total))}</p>}
        <Filter words={words} />
      </header>
      {refusal.value !== null && <Refused refusal={refusal.value} onRetry={reload} />}
      {refusal.value === null && shown === null && <Loading />}
      {refusal.value === null && shown !== null && (
        <>
          {shown.data.length > 0 ? <Rows rows={shown.data} /> : <None words={words} />}
          <Pages current={shown.meta.current_page} last={shown.meta.last_page} words={words} />
        </>
      )}
    </main>
  );
}

function pathOf(words: string, page: number, siteId: number | null): string {
  const query = new URLSearchParams({ page: String(page), per_page: '50' });
  if (words !== '') query.set('q', words);
  if (siteId !== null) query.set('site_id', String(siteId));
  return `/customers?${query}`;
}

function pageLink(words: string, page: number): string {
  const query = new URLSearchParams(words === '' ? {} : { q: words });
  if (page > 1) query.set('page', String(page));
  return `/customers${query.size > 0 ? `?${query}` : ''}`;
}

/** The address follows what is typed, after a pause, without a step in the history for each letter. */
function Filter({ words }: { words: string }) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const input = field.current;
    if (input !== null && document.activeElement !== input) input.value = words;
  }, [words]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = () => go(pageLink(field.current?.value.trim() ?? '', 1), { replace: true });
  return (
    <form
      class="screen-filter"
      onSubmit={(event) => {
        event.preventDefault();
        clearTimeout(timer.current);
        apply();
      }}
    >
      <Icon name="search" />
      <input
        ref={field}
        type="text"
        aria-label={t.findCustomer}
        placeholder={t.findCustomer}
        autocomplete="off"
        spellcheck={false}
        onInput={() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(apply, pauseMs);
        }}
      />
    </form>
  );
}

function Rows({ rows }: { rows: readonly CustomerRow[] }) {
  const table = useRef<HTMLTableElement>(null);
  const hasSites = visibleSites.value.length > 1;
  useCommands('page', [
    { id: 'next-customer', title: t.nextCustomer, keys: ['j'], isOnlyByKey: true, run: () => step(1) },
    { id: 'previous-customer', title: t.previousCustomer, keys: ['k'], isOnlyByKey: true, run: () => step(-1) },
  ]);
  function step(by: number): void {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('.row-link') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  }
  return (
    <table ref={table} class="screen-table" aria-label={t.customers}>
      <thead>
        <tr>
          <th scope="col">{t.customer}</th>
          {hasSites && <th scope="col">{t.site}</th>}
          <th scope="col" class="number">
            {t.openColumn}
          </th>
          <th scope="col" class="number">
            {t.tickets}
          </th>
          <th scope="col" class="time">
            {t.lastTicketColumn}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td class="wide-cell">
              <Link href={`/customers/${row.id}`} class="row-link">
                <bdi>{nameOf(row)}</bdi>
              </Link>
              {row.name !== null && row.anonymised_at === null && (
                <span class="soft">
                  <Address email={row.email} />
                </span>
              )}
            </td>
            {hasSites && <td>{visibleSites.value.find(({ id }) => id === row.site_id)?.name}</td>}
            <td class="number">{ticketsOf(row.open_count)}</td>
            <td class="number">{ticketsOf(row.ticket_count)}</td>
            <td class="time">
              {row.last_ticket_at !== null && (
                <time dateTime={row.last_ticket_at} title={dateAndTime(row.last_ticket_at)}>
                  {ago(row.last_ticket_at, now())}
                </time>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where it is too long for a line, the line ends after the @. */
function Address({ email }: { email: string }) {
  const domain = email.indexOf('@') + 1;
  return (
    <bdi>
      {email.slice(0, domain)}
      <wbr />
      {email.slice(domain)}
    </bdi>
  );
}

function None({ words }: { words: string }) {
  const isFiltered = words !== '' || chosenSite.value !== null;
  return (
    <Empty icon="people" title={isFiltered ? t.noCustomerFits : t.noCustomers}>
      {isFiltered ? t.noCustomerFitsText : t.noCustomersText}
    </Empty>
  );
}

function Pages({ current, last, words }: { current: number; last: number; words: string }) {
  if (last < 2) return null;
  const text = t.pageOf(count(current), count(last));
  return (
    <nav class="pages" aria-label={text}>
      {current > 1 ? <Link href={pageLink(words, current - 1)}>{t.previousPage}</Link> : <span />}
      <span class="soft">{text}</span>
      {current < last ? <Link href={pageLink(words, current + 1)}>{t.nextPage}</Link> : <span />}
    </nav>
  );
}

function Loading() {
  return (
    <div class="skeleton screen-loading" aria-hidden="true">
      {[...'abcdefgh'].map((key) => (
        <span key={key} class="skeleton-bar row-skeleton" />
      ))}
    </div>
  );
}

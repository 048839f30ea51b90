// A customer with their newest tickets.

import { useEffect } from 'preact/hooks';
import { day } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { onEvent } from '../live/live.ts';
import { usePageTitle } from '../page-title.ts';
import { Link, route } from '../route.ts';
import { visibleSites } from '../session.ts';
import { useFetched } from '../shell/fetched.ts';
import { initials } from '../shell/initials.ts';
import { RefusedPage } from '../shell/refused.tsx';
import { TicketLine } from '../tickets/ticket-line.tsx';
import { t } from './messages.ts';
import { nameOf, ticketsOf } from './name.ts';
import type { Customer } from './wire.ts';

export function CustomerPage() {
  const { value: here } = route;
  const id = here.name === 'customer' ? here.customer : 0;
  const { data, refusal, isOld, reload } = useFetched<{ data: Customer }>(`/customers/${id}`);
  const customer = data.value?.data ?? null;
  const name = customer === null ? t.customers : nameOf(customer);
  usePageTitle(name);
  const known = customer?.tickets.map((ticket) => ticket.id).join() ?? '';
  useEffect(
    () =>
      onEvent(({ event, ticket_id }) => {
        if (event === 'ticket.created' || known.split(',').includes(String(ticket_id))) reload();
      }),
    [known],
  );
  if (refusal.value !== null) return <RefusedPage title={t.customers} refusal={refusal.value} onRetry={reload} />;
  if (customer === null || (isOld && customer.id !== id)) {
    return <main id="content" class="list-screen" tabIndex={-1} aria-busy="true" />;
  }
  return (
    <main id="content" class="list-screen" tabIndex={-1}>
      <Link href="/customers" class="back-link">
        <Icon name="chevron" />
        {t.allCustomers}
      </Link>
      <Head customer={customer} />
      <section aria-labelledby="customer-tickets">
        <h2 id="customer-tickets">{t.newestTickets}</h2>
        {customer.tickets.length === 0 ? (
          <p class="soft">{t.customerWithoutTickets}</p>
        ) : (
          <ul class="customer-tickets">
            {customer.tickets.map((ticket) => (
              <TicketLine key={ticket.ulid} ticket={ticket} />
            ))}
          </ul>
        )}
        {customer.ticket_count > customer.tickets.length && customer.anonymised_at === null && (
          <Link
            href={`/inbox/all?${new URLSearchParams({ email: customer.email, site_id: String(customer.site_id) })}`}
          >
            {t.showAllTickets(ticketsOf(customer.ticket_count))}
          </Link>
        )}
      </section>
    </main>
  );
}

function Head({ customer }: { customer: Customer }) {
  const isErased = customer.anonymised_at !== null;
  const site = visibleSites.value.find(({ id }) => id === customer.site_id);
  return (
    <header class="customer-head">
      <span class="avatar large" data-initials={isErased ? '' : initials(nameOf(customer))} />
      <div>
        <h1>
          <bdi>{nameOf(customer)}</bdi>
        </h1>
        {isErased ? (
          <p class="soft">{t.customerErased(day(customer.anonymised_at ?? ''))}</p>
        ) : (
          <p>
            <a href={`mailto:${customer.email}`}>
              <bdi>{customer.email}</bdi>
            </a>
          </p>
        )}
      </div>
      <dl class="customer-facts">
        <Fact name={t.openColumn}>{ticketsOf(customer.open_count)}</Fact>
        <Fact name={t.tickets}>{ticketsOf(customer.ticket_count)}</Fact>
        <Fact name={t.customerSince}>{day(customer.created_at)}</Fact>
        {visibleSites.value.length > 1 && site !== undefined && <Fact name={t.site}>{site.name}</Fact>}
        {customer.external_id !== null && <Fact name={t.customerId}>{customer.external_id}</Fact>}
      </dl>
      {!isErased && (
        <p class={customer.is_verified ? 'verified' : 'unverified'}>
          <Icon name={customer.is_verified ? 'check' : 'alert'} />
          {customer.is_verified ? t.addressIsVerified : t.addressNotVerified}
        </p>
      )}
    </header>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd title={children}>{children}</dd>
    </div>
  );
}

// A page of the customers: the brand above, the content, and what belongs to the whole browser below.

import type { ComponentChildren } from 'preact';
import { Entrance } from './entrance.tsx';
import { FormPage } from './form.tsx';
import { t } from './messages.ts';
import { Note } from './note.tsx';
import type { PageContent, ShownSite } from './page-content.ts';
import { RatingByMail } from './rating.tsx';
import { instead, said } from './state.ts';
import { Ticket } from './ticket.tsx';
import { Tickets } from './tickets.tsx';

export { drawRunning } from './state.ts';

export function CustomerPage({ shown }: { shown: PageContent }) {
  const { page, site } = shown;
  return (
    <>
      <a class="skip" href="#content">
        {t.toContent}
      </a>
      {site !== null && <Bar site={site} page={page} />}
      <main id="content" tabIndex={-1}>
        {instead.value ?? <Content shown={shown} />}
      </main>
      <div id="announcer" class="hidden" role="status">
        {said.value}
      </div>
    </>
  );
}

function Content({ shown }: { shown: PageContent }) {
  switch (shown.page) {
    case 'ticket':
      return <Ticket {...shown} />;
    case 'form':
      return <FormPage {...shown} />;
    case 'tickets':
      return <Tickets {...shown} />;
    case 'rating':
      return <RatingByMail {...shown} />;
    case 'entrance':
      return <Entrance />;
    default:
      return (
        <Note icon="inbox" title={t.noPageTitle}>
          <p class="soft">{t.noPageLead}</p>
        </Note>
      );
  }
}

function Bar({ site, page }: { site: ShownSite; page: PageContent['page'] }) {
  const { brand, name, slug, portal } = site;
  const door = `/s/${slug}`;
  const shownName = (
    <>
      {brand.logo !== null && <img src={brand.logo} alt="" />}
      <span>{name}</span>
    </>
  );
  const to = (wanted: PageContent['page'], href: string, words: ComponentChildren) => (
    <a href={href} aria-current={wanted === page ? 'page' : undefined}>
      {words}
    </a>
  );
  return (
    <header class="bar">
      <div>
        {portal === 'off' ? (
          <span class="brand">{shownName}</span>
        ) : (
          <>
            <a class="brand" href={door}>
              {shownName}
            </a>
            <nav aria-label={name}>
              {to('form', door, t.newTicket)}
              {portal === 'form_and_tickets' && to('tickets', `${door}/tickets`, t.myTickets)}
            </nav>
          </>
        )}
      </div>
    </header>
  );
}

export function titleOf(shown: PageContent): string {
  const title = titles[shown.page](shown);
  return shown.site === null ? title : `${title} · ${shown.site.name}`;
}

const titles: Record<PageContent['page'], (shown: PageContent) => string> = {
  ticket: (shown) => (shown.page === 'ticket' ? shown.thread.ticket.subject : ''),
  form: () => t.formTitle,
  tickets: () => t.myTickets,
  rating: () => t.howWasHelp,
  entrance: () => t.opening,
  missing: () => t.noPageTitle,
};

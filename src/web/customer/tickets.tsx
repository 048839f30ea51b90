// "My tickets": the list of an address that was proved in this browser, or the way to prove one.

import { Icon } from '../shared/icons.tsx';
import { ProveAddress } from './code-step.tsx';
import { Forgetting } from './forgetting.tsx';
import { t } from './messages.ts';
import { Note } from './note.tsx';
import type { TicketsPage } from './page-content.ts';
import { day, NeedsScript, StatusLabel, statuses, statusWord } from './parts.tsx';
import { isRunning } from './state.ts';

export function Tickets({ site, list, asked }: TicketsPage) {
  return (
    <>
      {list === null ? <Entrance site={site.slug} /> : <Found slug={site.slug} list={list} asked={asked} />}
      <Forgetting />
    </>
  );
}

type FoundProps = { slug: string; list: NonNullable<TicketsPage['list']> } & Pick<TicketsPage, 'asked'>;

function Found({ slug, list, asked }: FoundProps) {
  const { words, status } = asked;
  const path = `/s/${slug}/tickets`;
  const next = new URLSearchParams({
    ...(words && { q: words }),
    ...(status && { status }),
    cursor: list.next_cursor ?? '',
  });
  return (
    <>
      <div class="list-head">
        <h1>{t.myTickets}</h1>
        <p class="soft">{t.ticketsOf(list.address_hint)}</p>
      </div>
      <search>
        <form class="find" method="get" action={path}>
          <div class="field grows">
            <label class="hidden" for="q">
              {t.searchTickets}
            </label>
            <input id="q" name="q" type="search" placeholder={t.searchTickets} defaultValue={words} maxLength={200} />
          </div>
          <div class="field">
            <label class="hidden" for="status">
              {t.statusFilter}
            </label>
            <select id="status" name="status">
              <option value="">{t.everyStatus}</option>
              {statuses.map((one) => (
                <option key={one} value={one} selected={one === status}>
                  {statusWord(one)}
                </option>
              ))}
            </select>
          </div>
          <button type="submit" class="button">
            <Icon name="search" />
            <span class="button-text">{t.searchTickets}</span>
          </button>
        </form>
      </search>
      {list.tickets.length === 0 ? (
        <Nothing isNarrowed={words !== '' || status !== ''} />
      ) : (
        <ul class="ticket-list">
          {list.tickets.map(({ ulid, reference, subject, status: own, last_message_at: at }) => (
            <li key={ulid}>
              <a class="ticket-row" href={`/t/${ulid}?site=${slug}`}>
                <span class="number soft">{reference}</span>
                <span class="ticket-subject">
                  <bdi>{subject}</bdi>
                </span>
                <StatusLabel status={own} />
                <span class="soft when">{day(at)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {list.next_cursor !== null && (
        <p class="more">
          <a href={`${path}?${next.toString()}`}>{t.moreTickets}</a>
        </p>
      )}
    </>
  );
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  return (
    <Note icon="inbox" title={isNarrowed ? t.noMatch : t.noTickets} isPart>
      <p class="soft">{isNarrowed ? t.noMatchLead : t.noTicketsLead}</p>
    </Note>
  );
}

function Entrance({ site }: { site: string }) {
  return (
    <div class="card narrow">
      <h1>{t.myTickets}</h1>
      <div id="prove">
        {isRunning.value ? (
          <ProveAddress
            names={{ site }}
            lead={t.ticketsLead}
            label={t.myTickets}
            mailed={t.codeMaybeMailed}
            onProved={() => location.reload()}
          />
        ) : (
          <p class="soft">{t.ticketsLead}</p>
        )}
      </div>
      <NeedsScript text={t.listNeedsScript} />
    </div>
  );
}

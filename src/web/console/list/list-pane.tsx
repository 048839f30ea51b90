// A list with its heading, filters, and what stands in its place while there are no rows.

import { useEffect } from 'preact/hooks';
import type { Refusal } from '../../shared/api.ts';
import { Button } from '../../shared/button.tsx';
import { Icon } from '../../shared/icons.tsx';
import { refusalText } from '../../shared/refusal-text.ts';
import { lastListPath } from '../route.ts';
import { searchPart } from '../search/load-language.ts';
import { NotFoundNote } from '../shell/not-found.tsx';
import { onDemand } from '../shell/on-demand.tsx';
import { PartMissing } from '../shell/refused.tsx';
import { loadViews, viewName, viewsRefusal } from '../views/views.ts';
import { progress } from './bulk/bulk.ts';
import { adding } from './filters/list-address.ts';
import { ListHead } from './list-head.tsx';
import { followList } from './live-list.ts';
import { t } from './messages.ts';
import { type Opened, opened } from './open-list.ts';
import { LoadingRows } from './rows/loading-rows.tsx';
import { TicketGrid } from './rows/ticket-grid.tsx';
import { newTicketsPerPage, openList, type TicketList } from './ticket-list.ts';

const BulkBar = onDemand(async () => (await import('../shell/on-demand-parts.ts')).BulkBar);
const EmptyList = onDemand(async () => (await import('../shell/on-demand-parts.ts')).EmptyList);
const FilterChips = onDemand(async () => (await import('../shell/on-demand-parts.ts')).FilterChips);
const SearchProblems = onDemand(async () => (await import('../shell/on-demand-parts.ts')).SearchProblems);

interface ListPaneProps {
  /** Next to an open ticket: only the rows. */
  compact?: boolean;
}

export function ListPane({ compact = false }: ListPaneProps) {
  const found = opened.value;
  const list = found.kind === 'list' ? found.list : null;
  useEffect(() => {
    openList.value = list;
    return list === null ? undefined : followList(list);
  }, [list]);
  return (
    <section class={`list-pane${compact ? ' is-compact' : ''}`} aria-label={compact ? titleOf(found) : undefined}>
      <ListHead found={found} title={titleOf(found)} isCompact={compact} />
      {list !== null && !compact && hasChips(list) && (
        <div class="chips-place">
          <FilterChips list={list} />
        </div>
      )}
      <div class="list-body">
        <Body found={found} isCompact={compact} />
      </div>
      {list !== null && !compact && hasBulk(list) && <BulkBar list={list} />}
    </section>
  );
}

/** Their place is kept until their code is there, so that the rows below stay where they are. */
function hasChips({ source }: TicketList): boolean {
  const isSaved = source.kind === 'view' && source.view.id !== null && Object.keys(source.filter).length > 0;
  return isSaved || adding.value !== null || lastListPath.value.includes('?');
}

function hasBulk({ selection }: TicketList): boolean {
  return progress.value !== null || selection.value.isAll || selection.value.ulids.size > 0;
}

function titleOf(found: Opened): string {
  if (found.kind === 'list' && found.list.source.kind === 'view') return viewName(found.list.source.view);
  return found.kind === 'list' || found.kind === 'problems' ? t.searchResults : t.tickets;
}

function Body({ found, isCompact }: { found: Opened; isCompact: boolean }) {
  switch (found.kind) {
    case 'loading':
      return viewsRefusal.value === null ? (
        <LoadingRows />
      ) : (
        <RefusedList refusal={viewsRefusal.value} onRetry={() => void loadViews()} />
      );
    case 'unreadable':
      return (
        <div class="list-note" role="alert">
          <PartMissing heading="h2" onRetry={() => void searchPart.begin()} />
        </div>
      );
    case 'unknown':
      return (
        <div class="list-note">
          <NotFoundNote />
        </div>
      );
    case 'problems':
      return <SearchProblems source={found.source} />;
    case 'list':
      return <Rows list={found.list} isCompact={isCompact} />;
  }
}

function Rows({ list, isCompact }: { list: TicketList; isCompact: boolean }) {
  const total = list.rows.total.value;
  const refusal = list.rows.refusal.value;
  useEffect(() => {
    if (list.rows.total.peek() === null) list.rows.show(0, 1);
  }, [list]);
  if (total === null) {
    if (refusal === null) return <LoadingRows />;
    return <RefusedList refusal={refusal} onRetry={() => void list.refresh()} />;
  }
  return (
    <>
      <NewTickets list={list} />
      {refusal !== null && <StaleRows refusal={refusal} onRetry={() => void list.refresh()} />}
      {total === 0 ? <EmptyList source={list.source} /> : <TicketGrid list={list} takesFocus={!isCompact} />}
    </>
  );
}

/** Says that there are new tickets, and shows them when the agent wants: the list never moves by itself. */
function NewTickets({ list }: { list: TicketList }) {
  const count = list.newTickets.value;
  return (
    <div class="new-tickets" role="status">
      {count > 0 && (
        <button
          type="button"
          onClick={() => {
            list.firstRow = 0;
            void list.showNewTickets();
          }}
        >
          <Icon name="chevron" />
          {count < newTicketsPerPage ? t.newTickets(count) : t.manyNewTickets(newTicketsPerPage)}
        </button>
      )}
    </div>
  );
}

// What to do when the desk did not give the rows.
interface RefusedProps {
  refusal: Refusal;
  onRetry: () => void;
}

function RefusedList({ refusal, onRetry }: RefusedProps) {
  return (
    <div class="list-note" role="alert">
      <Icon name="alert" />
      <h2>{t.listFailed}</h2>
      <p>{refusalText(refusal)}</p>
      <RequestId refusal={refusal} />
      <Button onClick={onRetry}>{t.tryAgain}</Button>
    </div>
  );
}

/** Over rows that are still there. */
function StaleRows({ refusal, onRetry }: RefusedProps) {
  return (
    <div class="list-stale" role="alert">
      <Icon name="alert" />
      <p>{refusalText(refusal)}</p>
      <Button kind="quiet" onClick={onRetry}>
        {t.tryAgain}
      </Button>
    </div>
  );
}

function RequestId({ refusal: { status, requestId } }: { refusal: Refusal }) {
  if (status < 500 || requestId === null) return null;
  return (
    <p class="request-id">
      {t.requestId} <code>{requestId}</code>
    </p>
  );
}

// The filters of the list as chips that can be changed and taken away, and the way to keep them as a view.

import { useSignal } from '@preact/signals';
import type { FilterKey, ListFilter } from '../../../../domain/tickets/filters.ts';
import { Button } from '../../../shared/button.tsx';
import { announce, announceRefusal } from '../../../shared/notices.tsx';
import { t } from '../../on-demand-messages.ts';
import { go, Link, lastListPath } from '../../route.ts';
import { can } from '../../session.ts';
import { NameView } from '../../views/name-view.tsx';
import { changeView, createView, viewPath } from '../../views/views.ts';
import type { TicketList } from '../ticket-list.ts';
import { FilterChip } from './chip.tsx';
import { filterKeys } from './filter.ts';
import { adding, chooseFilter } from './list-address.ts';

export function FilterChips({ list }: { list: TicketList }) {
  const { source } = list;
  const isNaming = useSignal(false);
  const isChanged = lastListPath.value.includes('?') && (source.kind === 'search' || hasChanges(list));
  const base = source.kind === 'view' && source.view.id === null ? source.base : {};
  const keys = source.kind === 'search' ? [] : filterKeys.filter((key) => isShown(key, source.filter, base));
  const pending = adding.value !== null && !keys.includes(adding.value) ? adding.value : null;
  if (keys.length === 0 && pending === null && !isChanged) return null;
  return (
    <div class="filter-chips" role="group" aria-label={t.filters}>
      {[...keys, ...(pending === null ? [] : [pending])].map((key) => (
        <FilterChip key={key} field={key} filter={source.filter} adding={adding} choose={chooseFilter} />
      ))}
      {isChanged && (
        <span class="chips-end">
          {source.kind === 'view' && <Link href={viewPath(source.view.key)}>{t.clearFilters}</Link>}
          {source.kind === 'view' && source.view.is_own && (
            <Button kind="quiet" onClick={() => void update(list)}>
              {t.updateView}
            </Button>
          )}
          <Button
            kind="quiet"
            onClick={() => {
              isNaming.value = true;
            }}
          >
            {t.saveAsView}
          </Button>
        </span>
      )}
      {isNaming.value && (
        <NameView
          title={t.saveAsView}
          canShare={can('write')}
          onSave={async (name, isShared) => {
            const { filter, order } = source;
            const answer = await createView({ name, filter: { ...filter }, ...order, is_shared: isShared });
            if (answer.isOk) go(viewPath(answer.data.data.key));
            return answer;
          }}
          onClose={() => {
            isNaming.value = false;
          }}
        />
      )}
    </div>
  );
}

function hasChanges({ source }: TicketList): boolean {
  if (source.kind !== 'view') return true;
  return JSON.stringify([source.filter, source.order]) !== JSON.stringify([source.base, source.baseOrder]);
}

async function update({ source }: TicketList): Promise<void> {
  if (source.kind !== 'view') return;
  const answer = await changeView(source.view, { filter: { ...source.filter }, ...source.order });
  if (!answer.isOk) return announceRefusal(answer.refusal);
  announce(t.viewUpdated(source.view.name));
  go(viewPath(source.view.key), { replace: true });
}

/** Of a view of the desk only what differs from it: its name says the rest. */
function isShown(key: FilterKey, filter: ListFilter, base: ListFilter): boolean {
  return filter[key] !== undefined && JSON.stringify(filter[key]) !== JSON.stringify(base[key]);
}

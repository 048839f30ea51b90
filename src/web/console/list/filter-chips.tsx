// The filters of the list as chips that can be changed and taken away, and the way to keep them as a view.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { Combobox } from '../../shared/combobox.tsx';
import { Icon } from '../../shared/icons.tsx';
import { announce, announceRefusal } from '../../shared/notices.tsx';
import type { Opener } from '../../shared/popover.ts';
import { t } from '../later-messages.ts';
import { go, Link, lastListPath } from '../route.ts';
import { can } from '../session.ts';
import { NameView } from '../views/ask-name.ts';
import { changeView, createView, viewPath } from '../views/views.ts';
import { type FilterKey, filterKeys, type ListFilter } from './filter.ts';
import { type ChoiceKey, choiceKeys, choicesOf, fieldName, idsOf, tagOf, valueText } from './filter-fields.ts';
import { adding, chooseFilter } from './list-address.ts';
import type { TicketList } from './ticket-list.ts';

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
      {[...keys, ...(pending === null ? [] : [pending])].map((key) =>
        isChoice(key) ? (
          <ChoiceChip key={key} field={key} filter={source.filter} />
        ) : (
          <PlainChip key={key} field={key} filter={source.filter} />
        ),
      )}
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

function isChoice(key: FilterKey): key is ChoiceKey {
  return choiceKeys.includes(key as ChoiceKey);
}

function Remove({ field }: { field: FilterKey }) {
  return (
    <button
      type="button"
      class="chip-remove"
      aria-label={t.removeFilter(fieldName(field))}
      title={t.removeFilter(fieldName(field))}
      onClick={() => {
        if (adding.peek() === field) adding.value = null;
        chooseFilter({ [field]: undefined });
      }}
    >
      <Icon name="close" />
    </button>
  );
}

function ChoiceChip({ field, filter }: { field: ChoiceKey; filter: ListFilter }) {
  const handle = useRef<Opener | null>(null);
  useEffect(() => {
    if (adding.peek() === field) handle.current?.open();
  }, [field]);
  const isById = field === 'priority_id' || field === 'category_id';
  const choose = (values: (string | number)[]) => chooseFilter({ [field]: isById ? idsOf(values) : values });
  const options = choicesOf(field, filter);
  const chosen: (string | number)[] = [...(filter[field] ?? [])];
  const value = isById
    ? options.map((option) => option.value).filter((ids) => idsOf([ids]).every((id) => chosen.includes(id)))
    : chosen;
  return (
    <span class="chip">
      <span class="chip-name">{fieldName(field)}</span>
      <Combobox<string | number>
        multiple
        label={fieldName(field)}
        value={value}
        options={options}
        search={field !== 'status' && field !== 'sla'}
        handle={handle}
        class="chip-value"
        onChange={choose}
        {...(field === 'tag'
          ? {
              onCreate: (typed: string) => {
                const tag = tagOf(typed);
                if (tag === null) announce(t.tagRefused, 'problem');
                else choose([...value, tag]);
              },
            }
          : {})}
        onClose={() => {
          if (adding.peek() === field) adding.value = null;
        }}
      />
      <Remove field={field} />
    </span>
  );
}

function PlainChip({ field, filter }: { field: FilterKey; filter: ListFilter }) {
  const value = filter[field];
  return (
    <span class="chip">
      <span class="chip-name">{fieldName(field)}</span>
      {value !== true && field !== 'mentions' && (
        <span class="chip-text">{value === false ? t.no : valueText(field, value)}</span>
      )}
      <Remove field={field} />
    </span>
  );
}

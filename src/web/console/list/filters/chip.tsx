// One filter as a chip that can be changed and taken away.

import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type FilterKey, type ListFilter, ticketFilters } from '../../../../domain/tickets/filters.ts';
import { Combobox } from '../../../shared/combobox.tsx';
import { Icon } from '../../../shared/icons.tsx';
import { announce } from '../../../shared/notices.tsx';
import type { Opener } from '../../../shared/popover.ts';
import { t } from '../../on-demand-messages.ts';
import { t as shell } from '../../shell/messages.ts';
import { type ChoiceKey, choicesOf, fieldName, idsOf, isChoice, tagOf, valueText } from './filter-fields.ts';

interface ChipProps {
  field: FilterKey;
  filter: ListFilter;
  /** A filter that was chosen in a menu and has no value yet. */
  adding: Signal<ChoiceKey | null>;
  choose: (change: Partial<Record<FilterKey, unknown>>) => void;
}

export function FilterChip(props: ChipProps) {
  const { field } = props;
  return isChoice(field) ? <ChoiceChip {...props} field={field} /> : <PlainChip {...props} />;
}

function Remove({ field, adding, choose }: ChipProps) {
  return (
    <button
      type="button"
      class="chip-remove"
      aria-label={t.removeFilter(fieldName(field))}
      title={t.removeFilter(fieldName(field))}
      onClick={() => {
        if (adding.peek() === field) adding.value = null;
        choose({ [field]: undefined });
      }}
    >
      <Icon name="close" />
    </button>
  );
}

function ChoiceChip(props: ChipProps & { field: ChoiceKey }) {
  const { field, filter, adding } = props;
  const handle = useRef<Opener | null>(null);
  useEffect(() => {
    if (adding.peek() === field) handle.current?.open();
  }, [field]);
  const isById = field === 'priority_id' || field === 'category_id';
  const choose = (values: (string | number)[]) => props.choose({ [field]: isById ? idsOf(values) : values });
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
        search={typeof ticketFilters[field] === 'string'}
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
      <Remove {...props} />
    </span>
  );
}

function PlainChip(props: ChipProps) {
  const { field, filter } = props;
  const value = filter[field];
  const isOfMe = field === 'mentions' && String(value) === 'me';
  return (
    <span class="chip">
      <span class="chip-name">{field === 'mentions' && !isOfMe ? shell.viewMentions : fieldName(field)}</span>
      {value !== true && !isOfMe && <span class="chip-text">{value === false ? t.no : valueText(field, filter)}</span>}
      <Remove {...props} />
    </span>
  );
}

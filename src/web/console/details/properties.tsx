// Priority, category and tags, each changed in place.

import { createRef } from 'preact';
import { Combobox } from '../../shared/combobox.tsx';
import type { Opener } from '../../shared/popover.ts';
import { t as done } from '../on-demand-messages.ts';
import { changeTicket } from '../tickets/change.ts';
import type { Category, Priority, TicketDetail } from '../wire.ts';
import { t } from './messages.ts';
import { Swatch } from './swatch.tsx';
import { Tags } from './tags.tsx';

interface PropertiesProps {
  ticket: TicketDetail;
  categories: readonly Category[] | null;
  priorities: readonly Priority[] | null;
  isLocked: boolean;
}

/** Of the ticket that is open, whose commands open them. */
export const propertyHandles = {
  priority: createRef<Opener>(),
  category: createRef<Opener>(),
  tags: createRef<Opener>(),
};

export function Properties({ ticket, categories, priorities, isLocked }: PropertiesProps) {
  const change = (fields: Parameters<typeof changeTicket>[1], text: string) =>
    void changeTicket([ticket.ulid], fields, { text });

  return (
    <div class="properties">
      <Row name={t.priority}>
        <Combobox
          label={t.priority}
          handle={propertyHandles.priority}
          isDisabled={isLocked}
          class="plain"
          value={ticket.priority?.id ?? null}
          options={optionsOf(priorities, ticket.priority)}
          onChange={(id) => {
            const chosen = priorities?.find((one) => one.id === id);
            if (chosen !== undefined) change({ priority_id: chosen.id }, done.didChange(1, chosen.name));
          }}
        />
      </Row>
      <Row name={t.category}>
        <Combobox
          label={t.category}
          handle={propertyHandles.category}
          isDisabled={isLocked}
          class="plain"
          search={(categories?.length ?? 0) > 8}
          value={ticket.category?.id ?? null}
          options={[
            { value: null, text: t.noCategory, icon: <Swatch color={null} /> },
            ...optionsOf(categories, ticket.category),
          ]}
          onChange={(id) => {
            const chosen = categories?.find((one) => one.id === id);
            change({ category_id: id }, done.didChange(1, chosen?.name ?? t.categoryNone));
          }}
        />
      </Row>
      <Tags ticket={ticket} handle={propertyHandles.tags} isLocked={isLocked} />
    </div>
  );
}

function Row({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div class="property">
      <span class="property-name" title={name} aria-hidden="true">
        {name}
      </span>
      {children}
    </div>
  );
}

/** The active ones, and the one that the ticket has although it is not active. */
function optionsOf<One extends Category | Priority>(all: readonly One[] | null, current: One | null) {
  const active = (all ?? []).filter(({ is_active: isActive, id }) => isActive || id === current?.id);
  const shown = current === null || active.some(({ id }) => id === current.id) ? active : [current, ...active];
  return shown.map(({ id, name, color }) => ({
    value: id as number | null,
    text: name,
    icon: <Swatch color={color} />,
  }));
}

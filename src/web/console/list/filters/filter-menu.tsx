// Adds a filter to the list.

import { dayStart, now } from '../../../shared/clock.ts';
import { Icon } from '../../../shared/icons.tsx';
import { Menu } from '../../../shared/menu.tsx';
import { t } from '../../on-demand-messages.ts';
import { chosenSite, visibleSites } from '../../session.ts';
import type { ListSource } from '../source.ts';
import { isChoice, offeredNames } from './filter-fields.ts';
import { adding, chooseFilter } from './list-address.ts';

export function FilterMenu({ source }: { source: Extract<ListSource, { kind: 'view' }> }) {
  const { filter } = source;
  const names = offeredNames();
  const offered = Object.keys(names) as (keyof typeof names)[];
  const sites = visibleSites.value;
  return (
    <Menu
      label={t.addFilter}
      buttonClass="button quiet tool"
      placement={{ align: 'end' }}
      items={[
        ...offered.filter(isChoice).map((key) => ({
          text: names[key],
          run: () => {
            adding.value = key;
          },
        })),
        ...[0, 7, 30, 90].map((days) => ({
          text: days === 0 ? t.createdToday : t.createdLast(days),
          isApart: days === 0,
          run: () =>
            chooseFilter({ created_from: new Date(dayStart(now(), days)).toISOString(), created_to: undefined }),
        })),
        ...offered
          .filter((key) => !isChoice(key) && filter[key] === undefined)
          .map((key, index) => ({
            text: names[key],
            isApart: index === 0,
            run: () => chooseFilter({ [key]: key === 'mentions' ? ['me'] : true }),
          })),
        ...(sites.length > 1 && chosenSite.value === null
          ? sites.slice(0, 12).map(({ id, name }, index) => ({
              text: name,
              isApart: index === 0,
              run: () => chooseFilter({ site_id: id }),
            }))
          : []),
      ]}
    >
      <Icon name="filter" />
      <span class="tool-text">{t.filter}</span>
    </Menu>
  );
}

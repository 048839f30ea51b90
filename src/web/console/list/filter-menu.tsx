// Adds a filter to the list.

import { dayStart, now } from '../../shared/clock.ts';
import { Icon } from '../../shared/icons.tsx';
import { Menu } from '../../shared/menu.tsx';
import { chosenSite, visibleSites } from '../session.ts';
import { type ChoiceKey, choiceKeys, fieldName, flagKeys } from './filter-fields.ts';
import { adding, chooseFilter } from './list-address.ts';
import { t } from './messages.ts';
import type { ListSource } from './source.ts';

export function FilterMenu({ source }: { source: Extract<ListSource, { kind: 'view' }> }) {
  const { filter } = source;
  const since: [number, string][] = [
    [0, t.createdToday],
    [7, t.createdWeek],
    [30, t.createdMonth],
    [90, t.createdQuarter],
  ];
  const choose = (key: ChoiceKey) => ({
    text: fieldName(key),
    run: () => {
      adding.value = key;
    },
  });
  const sites = visibleSites.value;
  return (
    <Menu
      label={t.addFilter}
      buttonClass="button quiet tool"
      placement={{ align: 'end' }}
      items={[
        ...choiceKeys.map(choose),
        ...since.map(([days, text], index) => ({
          text,
          isApart: index === 0,
          run: () =>
            chooseFilter({ created_from: new Date(dayStart(now(), days)).toISOString(), created_to: undefined }),
        })),
        ...flagKeys
          .filter((key) => filter[key] === undefined)
          .map((key, index) => ({
            text: fieldName(key),
            isApart: index === 0,
            run: () => chooseFilter({ [key]: key === 'mentions' ? 'me' : true }),
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

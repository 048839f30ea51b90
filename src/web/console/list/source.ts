// What a list shows: the tickets of a view with what the URL changes, or those of a search.

import type { ListFilter } from '../../../domain/tickets/filters.ts';
import { ticketSorts } from '../../../domain/tickets/ticket.ts';
import { routeOf } from '../route-of.ts';
import type { ParsedSearch } from '../search/language.ts';
import type { View } from '../views/views.ts';
import { changedFilter, filterOfView, type ListOrder, orderOf, queryOf, usualDirection } from './filters/filter.ts';

interface Shared {
  filter: ListFilter;
  order: ListOrder;
}

export type ListSource =
  | (Shared & { kind: 'view'; view: View; base: ListFilter; baseOrder: ListOrder })
  | (Shared & { kind: 'search'; text: string; problems: ParsedSearch['problems'] });

const newestFirst: ListOrder = { sort: 'created_at', direction: 'desc' };

/** Null for a view that there is not. @param path of an inbox or a search, with its query */
export function sourceOf(
  path: string,
  views: readonly View[],
  readSearch: (text: string) => ParsedSearch,
): ListSource | null {
  const route = routeOf(path);
  if (route.name === 'search') {
    const text = route.query.get('q') ?? '';
    const { filter, problems } = readSearch(text);
    return { kind: 'search', text, problems, filter, order: orderOf(route.query, newestFirst) };
  }
  if (route.name !== 'inbox') return null;
  const view = views.find(({ key }) => key === route.view);
  if (view === undefined || view.filter === null) return null;
  const base = filterOfView(view.filter);
  const baseOrder = orderOfView(view);
  return {
    kind: 'view',
    view,
    base,
    baseOrder,
    filter: changedFilter(base, route.query),
    order: orderOf(route.query, baseOrder),
  };
}

function orderOfView({ sort: stored, direction }: View): ListOrder {
  const sort = ticketSorts.find((one) => one === stored);
  return sort === undefined ? newestFirst : { sort, direction };
}

/** The parameters of `GET /tickets` without a page. */
export function listQuery({ filter, order }: Shared, siteId: number | null): URLSearchParams {
  const query = queryOf(filter);
  if (siteId !== null && filter.site_id === undefined) query.set('site_id', String(siteId));
  query.set('sort', order.sort);
  query.set('direction', order.direction);
  return query;
}

/** The parameters of the URL that say this order. */
export function orderParams(order: ListOrder, base: ListOrder): [name: string, value: string][] {
  const params: [string, string][] = [];
  if (order.sort !== base.sort) params.push(['sort', order.sort]);
  const usual = order.sort === base.sort ? base.direction : usualDirection(order.sort);
  if (order.direction !== usual) params.push(['direction', order.direction]);
  return params;
}

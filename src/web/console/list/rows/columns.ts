// The columns of the ticket list: which were chosen, in which order, and which of them fit.

import type { ListFilter } from '../../../../domain/tickets/filters.ts';

export const columnKeys = [
  'status',
  'reference',
  'subject',
  'author',
  'site',
  'category',
  'priority',
  'tags',
  'team',
  'assignee',
  'viewers',
  'due',
  'age',
] as const;
export type Column = (typeof columnKeys)[number];

/** The subject takes the room that is left. */
const widths: Record<Exclude<Column, 'subject'>, number> = {
  status: 20,
  reference: 60,
  author: 120,
  site: 110,
  category: 100,
  priority: 84,
  tags: 124,
  team: 100,
  assignee: 116,
  viewers: 40,
  due: 132,
  age: 84,
};
const gap = 12;
const edges = 24 + 16 + 28;
const leastSubject = 300;

/** Where there is no room, the first of these goes first. */
const dispensable: readonly Column[] = [
  'team',
  'category',
  'tags',
  'site',
  'author',
  'priority',
  'viewers',
  'reference',
  'assignee',
  'age',
  'due',
];

/** Many desks have no teams. */
export const usualColumns: readonly Column[] = columnKeys.filter((column) => column !== 'team');

/** Narrower lists have two lines for a ticket. */
export const leastRowWidth = 1000;

/** What was remembered, with a subject, without what this version does not know. */
export function knownColumns(stored: readonly unknown[]): Column[] {
  const known = [...new Set(stored)].filter((key): key is Column => columnKeys.includes(key as Column));
  return known.includes('subject') ? known : ['subject', ...known];
}

/** What every row of a list says anyway. */
export function impliedColumns({
  unassigned,
  assigned_to: assignees,
  team_id: teams,
  priority_id: priorities,
  category_id: categories,
}: ListFilter): Column[] {
  return [
    ...(unassigned === true || assignees?.length === 1 ? ['assignee' as const] : []),
    ...(teams?.length === 1 ? ['team' as const] : []),
    ...(priorities?.length === 1 ? ['priority' as const] : []),
    ...(categories?.length === 1 ? ['category' as const] : []),
  ];
}

export function columnsThatFit(chosen: readonly Column[], width: number, hasSites: boolean): Column[] {
  let shown = chosen.filter((column) => column !== 'site' || hasSites);
  for (const column of dispensable) {
    if (widthOf(shown) <= width) break;
    shown = shown.filter((one) => one !== column);
  }
  return shown;
}

const widthOfColumn = (column: Column) => (column === 'subject' ? leastSubject : widths[column]);

function widthOf(columns: readonly Column[]): number {
  return edges + columns.reduce((sum, column) => sum + gap + widthOfColumn(column), 0);
}

/** Of what stands behind the subject: row actions end before it. */
export function widthBehindSubject(columns: readonly Column[]): number {
  return widthOf(columns.slice(columns.indexOf('subject') + 1)) - edges;
}

/** For `grid-template-columns`. */
export function tracksOf(columns: readonly Column[]): string {
  return columns.map((column) => (column === 'subject' ? 'minmax(0, 1fr)' : `${widths[column]}px`)).join(' ');
}

/** Moves a column by some places among the chosen ones. */
export function movedColumn(columns: readonly Column[], column: Column, by: number): Column[] {
  const left = columns.filter((one) => one !== column);
  const to = Math.max(0, Math.min(columns.indexOf(column) + by, left.length));
  return [...left.slice(0, to), column, ...left.slice(to)];
}

export function toggledColumn(columns: readonly Column[], column: Column): Column[] {
  if (column === 'subject') return [...columns];
  if (columns.includes(column)) return columns.filter((one) => one !== column);
  // Back where it usually stands: behind the nearest column that usually stands before it.
  const before = columnKeys.slice(0, columnKeys.indexOf(column)).findLast((one) => columns.includes(one));
  const at = before === undefined ? 0 : columns.indexOf(before) + 1;
  return [...columns.slice(0, at), column, ...columns.slice(at)];
}

// The names of the columns.

import type { AgeSort } from '../filters/filter.ts';
import { t } from '../messages.ts';
import type { Column } from './columns.ts';

export function columnName(column: Column): string {
  const names: Record<Column, string> = {
    status: t.status,
    reference: t.columnReference,
    subject: t.subject,
    author: t.customer,
    site: t.site,
    category: t.category,
    priority: t.priority,
    tags: t.tags,
    team: t.team,
    assignee: t.assignee,
    viewers: t.columnViewers,
    due: t.columnDue,
    age: t.columnAge,
  };
  return names[column];
}

export function ageName(since: AgeSort): string {
  return since === 'updated_at' ? t.sortUpdated : t.sortCreated;
}

// The names of the columns.

import type { Column } from './columns.ts';
import type { AgeSort } from './filter.ts';
import { t } from './messages.ts';

export function columnName(column: Column): string {
  const names: Record<Column, string> = {
    status: t.columnStatus,
    reference: t.columnReference,
    subject: t.columnSubject,
    author: t.columnAuthor,
    site: t.columnSite,
    category: t.columnCategory,
    priority: t.columnPriority,
    tags: t.columnTags,
    assignee: t.columnAssignee,
    viewers: t.columnViewers,
    due: t.columnDue,
    age: t.columnAge,
  };
  return names[column];
}

export function ageName(since: AgeSort): string {
  return since === 'updated_at' ? t.sortUpdated : t.sortCreated;
}

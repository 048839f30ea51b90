// A list of the desk's settings: loading, refused, or shown with a field to find one where there are many.

import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Refusal } from '../../../shared/api.ts';
import { bound } from '../../../shared/bound.ts';
import { TextField } from '../../../shared/field.tsx';
import { Refused } from '../../shell/refused.tsx';
import { Skeleton } from '../loading.tsx';
import { t } from './messages.ts';

interface FoundListProps<Row> {
  label: string;
  rows: readonly Row[] | null;
  refusal: ReadonlySignal<Refusal | null>;
  reload: () => void;
  /** What is searched in a row. */
  textOf: (row: Row) => string;
  none: ComponentChildren;
  children: (row: Row) => ComponentChildren;
}

const findAbove = 12;

export function FoundList<Row>({ label, rows, refusal, reload, textOf, none, children }: FoundListProps<Row>) {
  const wanted = useSignal('');
  if (rows === null)
    return refusal.value === null ? <Skeleton /> : <Refused refusal={refusal.value} onRetry={reload} />;
  if (rows.length === 0) return <>{none}</>;
  const words = wanted.value.trim().toLowerCase();
  const shown = rows.filter((row) => textOf(row).toLowerCase().includes(words));
  const isLong = rows.length > findAbove;
  return (
    <>
      {isLong && <TextField label={t.findSender} name="find" {...bound(wanted)} />}
      {shown.length === 0 ? (
        <p class="panel panel-note" role="status">
          {t.noneFound}
        </p>
      ) : (
        <ul class="panel mailboxes" aria-label={label}>
          {shown.map(children)}
        </ul>
      )}
    </>
  );
}

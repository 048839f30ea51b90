// How this browser shows lists: density and columns.

import { computed, type ReadonlySignal } from '@preact/signals';
import { remembered } from '../../remembered.ts';
import { type Column, knownColumns, movedColumn, toggledColumn, usualColumns } from '../rows/columns.ts';

export type Density = 'compact' | 'comfortable';

const storedDensity = remembered<string>('list-density', 'comfortable');
const storedColumns = remembered<unknown[] | null>('list-columns', null);

export const density: ReadonlySignal<Density> = computed(() =>
  storedDensity.value === 'compact' ? 'compact' : 'comfortable',
);

export function chooseDensity(wanted: Density): void {
  storedDensity.value = wanted;
}

export const chosenColumns: ReadonlySignal<readonly Column[]> = computed(() =>
  Array.isArray(storedColumns.value) ? knownColumns(storedColumns.value) : usualColumns,
);

export function toggleColumn(column: Column): void {
  storedColumns.value = toggledColumn(chosenColumns.peek(), column);
}

export function moveColumn(column: Column, by: number): void {
  storedColumns.value = movedColumn(chosenColumns.peek(), column, by);
}

export function resetColumns(): void {
  storedColumns.value = null;
}

// Values of custom fields between the desk and the page.

import type { CustomField } from '../wire.ts';

export type FieldType = CustomField['type'];

/** What an input shows for a value. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : String(value);
}

/** What the desk is sent for what was typed: null takes the value away. The desk says what is wrong with it. */
export function enteredValue(type: FieldType, typed: string): string | number | null {
  const text = type === 'textarea' ? typed : typed.trim();
  if (text.trim() === '') return null;
  if (type !== 'number') return text;
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}

export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

// Choices that this browser remembers and the desk does not store.

import { effect, type Signal, signal } from '@preact/signals';
import { readStored, writeStored } from '../shared/preferences.ts';

const known = new Map<string, Signal<unknown>>();

/** A signal under a name, with the value from the last visit. Values of another type than `otherwise` are not taken. */
export function remembered<Value extends string | number | boolean | object | null>(
  name: string,
  otherwise: Value,
): Signal<Value> {
  const key = `helpdesk.${name}`;
  const existing = known.get(key);
  if (existing !== undefined) return existing as Signal<Value>;
  const made = signal<Value>(stored(key, otherwise));
  known.set(key, made);
  let isFirst = true;
  effect(() => {
    const text = JSON.stringify(made.value);
    if (!isFirst) writeStored(key, text);
    isFirst = false;
  });
  return made;
}

function stored<Value>(key: string, otherwise: Value): Value {
  const text = readStored(key);
  if (text === null) return otherwise;
  try {
    const value: unknown = JSON.parse(text);
    const isSameType = otherwise === null || value === null || typeof value === typeof otherwise;
    return isSameType ? (value as Value) : otherwise;
  } catch {
    // Another program wrote under this name.
    return otherwise;
  }
}

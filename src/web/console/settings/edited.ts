// A form over something that the desk keeps: what is changed survives a reload, and a change of someone else loses nothing.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { Refusal } from '../../shared/api.ts';
import { type FormState, useForm } from '../../shared/submission.ts';
import { session } from '../session.ts';
import type { Versioned } from './live-data.ts';

export interface Edited<Values extends object> extends FormState<Values> {
  /** What the form began with, or someone else has saved since. */
  base: Versioned<Values>;
  isChanged: boolean;
  /** What someone else has saved in fields that are changed here too. */
  theirs: Partial<Values>;
  discard(): void;
  /** The desk has taken the changes. */
  saved(now: Versioned<Values>): void;
}

interface Merged<Values> {
  values: Values;
  theirs: Partial<Values>;
}

/** Each field that only one of both has changed is as they left it. Where both did, the own value stays, beside theirs. */
export function merged<Values extends object>(base: Values, own: Values, newest: Values): Merged<Values> {
  const values = { ...newest };
  const theirs: Partial<Values> = {};
  for (const name of Object.keys(base) as (keyof Values)[]) {
    if (own[name] === base[name]) continue;
    values[name] = own[name];
    if (newest[name] !== base[name] && newest[name] !== own[name]) theirs[name] = newest[name];
  }
  return { values, theirs };
}

interface Kept<Values> {
  base: Versioned<Values>;
  values: Values;
}

const prefix = 'helpdesk.settings.';
const ownPrefix = () => `${prefix}${session.peek()?.agent.id}.`;
const keyOf = (name: string) => `${ownPrefix()}${name}`;

/** Of this agent in this tab only, and gone with it or when they sign out. */
function kept<Values>(name: string): Kept<Values> | null {
  try {
    // The session of another agent may have ended without signing out.
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(prefix) && !key.startsWith(ownPrefix())) sessionStorage.removeItem(key);
    return JSON.parse(sessionStorage.getItem(keyOf(name)) ?? 'null') as Kept<Values> | null;
  } catch {
    // The browser refuses storage to this page.
    return null;
  }
}

function keep(name: string, what: object | null): void {
  try {
    if (what === null) sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), JSON.stringify(what));
  } catch {
    // Unsaved changes then last until the page is closed.
  }
}

/**
 * @param newest what the desk has now
 * @param secrets names of fields that are never put into the browser's storage
 */
export function useEdited<Values extends object>(
  name: string,
  newest: Versioned<Values>,
  secrets: readonly (keyof Values)[],
  problemsIn: (refusal: Refusal) => Record<string, string>,
): Edited<Values> {
  const first = kept<Values>(name) ?? { base: newest, values: newest.data };
  const base = useSignal(first.base);
  const theirs = useSignal<Partial<Values>>({});
  const form = useForm<Values>({ ...newest.data, ...first.values }, problemsIn);
  const { values } = form;
  const names = Object.keys(newest.data) as (keyof Values)[];
  const isChanged = names.some((one) => values[one] !== base.value.data[one]);

  useEffect(() => {
    if (newest.etag === base.peek().etag) return;
    const found = merged(base.peek().data, form.values, newest.data);
    base.value = newest;
    theirs.value = found.theirs;
    form.change(found.values);
  }, [newest.etag]);
  // At once: a reload right after a key loses nothing.
  useLayoutEffect(() => {
    const open = { ...values };
    for (const secret of secrets) open[secret] = base.peek().data[secret];
    keep(name, isChanged ? { base: base.peek(), values: open } : null);
  }, [name, values, isChanged]);

  return {
    ...form,
    get values() {
      return form.values;
    },
    async send(act) {
      const answer = await form.send(act);
      // At once too: the page may be left before it is drawn again.
      if (answer !== null) keep(name, null);
      return answer;
    },
    base: base.value,
    isChanged,
    theirs: theirs.value,
    discard() {
      keep(name, null);
      form.clear();
      theirs.value = {};
      form.change(base.peek().data);
    },
    saved(now) {
      base.value = now;
      theirs.value = {};
      form.change(now.data);
    },
  };
}

/** A form for something new. @param empty what it begins with */
export function useNew<Values extends object>(
  name: string,
  empty: Values,
  problemsIn: (refusal: Refusal) => Record<string, string>,
  secrets: readonly (keyof Values)[] = [],
): Edited<Values> {
  return useEdited(name, { etag: '', data: empty }, secrets, problemsIn);
}

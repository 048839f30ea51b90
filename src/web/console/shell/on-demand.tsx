// Components whose code is loaded when they are first shown.

import { type Signal, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { announce } from '../../shared/notices.tsx';
import { loadPart } from './load-part.ts';
import { t } from './messages.ts';

export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  // In an object: a signal would call a component that it is given.
  const loaded: Signal<{ part: ComponentType<Props> } | null> = signal(null);
  async function begin(): Promise<void> {
    if (loaded.peek() !== null) return;
    try {
      loaded.value = { part: await loadPart(load) };
    } catch (error) {
      console.error(error);
      announce(t.partMissing, 'problem');
    }
  }
  return function OnDemand(props: Props) {
    useEffect(() => void begin(), []);
    const Part = loaded.value?.part;
    return Part === undefined ? null : <Part {...props} />;
  };
}

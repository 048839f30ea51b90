// Tabs that the arrow keys move through; what a tab shows lies in its panel.

import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { movedBy, tabKey } from './list-keys.ts';

interface TabsProps<Id extends string> {
  /** Unique on the page: tabs and panels find one another by it. */
  name: string;
  label: string;
  tabs: readonly { id: Id; text: string; icon?: ComponentChildren }[];
  selected: Id;
  onSelect: (id: Id) => void;
}

export function Tabs<Id extends string>({ name, label, tabs, selected, onSelect }: TabsProps<Id>) {
  function move(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const key = tabKey(event.key, isRightToLeft);
    const active = tabs.findIndex(({ id }) => id === selected);
    const next = key === null ? null : movedBy(key, active, tabs.length);
    const tab = next === null ? undefined : tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    onSelect(tab.id);
    document.getElementById(`${name}-tab-${tab.id}`)?.focus();
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, text, icon }) => (
        <button
          key={id}
          type="button"
          role="tab"
          class="tab"
          id={`${name}-tab-${id}`}
          aria-selected={id === selected}
          aria-controls={id === selected ? `${name}-panel-${id}` : undefined}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {icon}
          {text}
        </button>
      ))}
    </div>
  );
}

export function TabPanel({ name, id, children }: { name: string; id: string; children: ComponentChildren }) {
  return (
    <div class="tab-panel" role="tabpanel" id={`${name}-panel-${id}`} aria-labelledby={`${name}-tab-${id}`}>
      {children}
    </div>
  );
}

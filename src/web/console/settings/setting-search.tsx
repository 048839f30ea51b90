// The search field above the sections: results replace the sections until the field is empty.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { movedBy } from '../../shared/list-keys.ts';
import { useCommands } from '../commands.ts';
import { go } from '../route.ts';
import { findSections } from './find.ts';
import { t } from './search-messages.ts';

export function SettingSearch({ children }: { children: ComponentChildren }) {
  const typed = useSignal('');
  const active = useSignal(0);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const found = findSections(typed.value);
  const chosen = found[Math.min(active.value, found.length - 1)];
  useCommands('page', [{ id: 'find-setting', title: t.findSetting, keys: ['/'], run: () => field.current?.focus() }]);

  function end(): void {
    typed.value = '';
    active.value = 0;
  }
  function open(path: string): void {
    go(path);
    end();
  }
  // Keys stay with the field.
  const forPointers = (path: string) => ({ onClick: () => open(path) });

  function press(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const next = movedBy(event.key, active.value, found.length);
    if (event.key === 'Enter' && chosen !== undefined) {
      open(chosen.path);
    } else if (event.key === 'Escape' && typed.value !== '') end();
    else if (next !== null && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) active.value = next;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <>
      <input
        ref={field}
        type="text"
        class="setting-search"
        aria-label={t.findSetting}
        placeholder={t.findSetting}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-found`}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          active.value = 0;
        }}
        onKeyDown={press}
      />
      {typed.value.trim() === '' ? (
        children
      ) : (
        <div id={`${id}-found`} role="listbox" aria-label={t.findSetting} class="found-settings">
          {found.map((one) => (
            <div
              key={one.id}
              id={`${id}-${one.id}`}
              role="option"
              aria-selected={one === chosen}
              tabIndex={-1}
              {...forPointers(one.path)}
            >
              {one.title}
              {one.detail !== null && <span class="soft">{one.detail}</span>}
            </div>
          ))}
        </div>
      )}
      {typed.value.trim() !== '' && found.length === 0 && (
        <p class="soft" role="status">
          {t.noSettingFound}
        </p>
      )}
    </>
  );
}

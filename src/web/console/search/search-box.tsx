// The search box of the top bar: completes filters while you type, and shows problems.

import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { now } from '../../shared/clock.ts';
import { Icon } from '../../shared/icons.tsx';
import { movedBy } from '../../shared/list-keys.ts';
import { t } from '../list/messages.ts';
import { go, route } from '../route.ts';
import { t as shell } from '../shell/messages.ts';
import { searchField } from '../shell/search-field.ts';
import { longestSearch, searchPath } from './address.ts';
import type { Completion } from './completion.ts';
import { searchPart } from './load-language.ts';

const noNames = { agents: [], teams: [], categories: [], priorities: [], sites: [] };

export function SearchBox() {
  const { value: here } = route;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const words = here.name === 'search' ? (here.query.get('q') ?? '') : '';
  const typed = useSignal(words);
  const caret = useSignal(0);
  const isOpen = useSignal(false);
  const active = useSignal(-1);
  useEffect(() => {
    searchField.current = field.current;
    return () => {
      searchField.current = null;
    };
  }, []);
  useEffect(() => {
    typed.value = words;
  }, [words]);

  const text = typed.value;
  const { value: loaded } = searchPart.state;
  const part = isOpen.value && loaded !== null && loaded !== 'failed' ? loaded.part : null;
  const names = part?.searchNames.value ?? noNames;
  const found = part?.completionsAt(text, caret.value, names) ?? [];
  const at = Math.min(active.value, found.length - 1);
  // What is being typed right now is not a mistake yet.
  const problem = part
    ?.parseSearch(text, names, now())
    .problems.find(({ from, to }) => caret.value < from || caret.value > to);

  function follow(): void {
    caret.value = field.current?.selectionStart ?? text.length;
  }

  function take(completion: Completion): void {
    const after = part?.completed(text, completion);
    if (after === undefined) return;
    typed.value = after.text;
    caret.value = after.caret;
    active.value = -1;
    const input = field.current;
    if (input === null) return;
    input.value = after.text;
    input.focus();
    input.setSelectionRange(after.caret, after.caret);
  }

  function search(): void {
    const wanted = text.trim();
    isOpen.value = false;
    if (wanted !== '') go(searchPath(wanted));
  }

  function press(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      if (isOpen.value && found.length > 0) isOpen.value = false;
      else field.current?.blur();
      return;
    }
    const chosen = found[at];
    if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined && isOpen.value) {
      event.preventDefault();
      take(chosen);
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    isOpen.value = true;
    active.value = movedBy(event.key, at, found.length) ?? -1;
  }

  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          name="q"
          aria-label={shell.search}
          aria-autocomplete="list"
          aria-controls={part === null ? undefined : `${id}-list`}
          aria-activedescendant={at >= 0 && found.length > 0 ? `${id}-${at}` : undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          placeholder={t.searchPlaceholder}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="search"
          maxLength={longestSearch}
          value={text}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            isOpen.value = true;
            active.value = -1;
            follow();
          }}
          onFocus={() => {
            void searchPart.begin();
            isOpen.value = true;
            follow();
          }}
          onBlur={() => {
            isOpen.value = false;
          }}
          onClick={follow}
          onKeyUp={follow}
          onKeyDown={press}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
      </form>
      {part !== null && <part.SearchPanel id={id} found={found} active={at} problem={problem} onTake={take} />}
    </search>
  );
}

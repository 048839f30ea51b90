// The search box of the top bar: completes filters while one types, and says what is wrong with them.

import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { now } from '../../shared/clock.ts';
import { Icon } from '../../shared/icons.tsx';
import { movedBy } from '../../shared/list-keys.ts';
import { t } from '../list/messages.ts';
import { go, route } from '../route.ts';
import { t as shell } from '../shell/messages.ts';
import { searchField } from '../shell/search-field.ts';
import { statusText } from '../tickets/status.tsx';
import { type Completion, completed, completionsAt } from './completion.ts';
import { longestSearch, parseSearch } from './language.ts';
import { searchNames } from './names.ts';
import { problemText, searchPath } from './problem-text.ts';

const noNames = { agents: [], categories: [], priorities: [], sites: [] };

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
  const names = isOpen.value ? (searchNames.value ?? noNames) : noNames;
  const found = isOpen.value ? completionsAt(text, caret.value, names) : [];
  const at = Math.min(active.value, found.length - 1);
  // What is being typed right now is no mistake yet.
  const problem = isOpen.value
    ? parseSearch(text, names, now()).problems.find(({ from, to }) => caret.value < from || caret.value > to)
    : undefined;

  function follow(): void {
    caret.value = field.current?.selectionStart ?? text.length;
  }

  function take(completion: Completion): void {
    const after = completed(text, completion);
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
          aria-controls={`${id}-list`}
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
      <div class="search-panel" hidden={found.length === 0 && problem === undefined}>
        <div role="listbox" id={`${id}-list`} aria-label={t.searchCompletions} class="search-completions">
          {found.map((completion, index) => (
            <div
              key={completion.insert}
              role="option"
              id={`${id}-${index}`}
              class={index === at ? 'option is-active' : 'option'}
              aria-selected={index === at}
              tabIndex={-1}
              // The focus stays in the field.
              onMouseDown={(event) => {
                event.preventDefault();
                take(completion);
              }}
            >
              <code dir="ltr">{completion.insert.trim()}</code>
              <span class="option-hint">{hintOf(completion)}</span>
            </div>
          ))}
        </div>
        {problem !== undefined && (
          <p class="field-problem" id={`${id}-problem`}>
            <Icon name="alert" />
            <span>{problemText(problem)}</span>
          </p>
        )}
      </div>
    </search>
  );
}

function hintOf({ kind, key, value }: Completion): string {
  if (kind === 'key') return keyHint(key);
  if (key === 'status') return statusText(value as Parameters<typeof statusText>[0]);
  if (key === 'assignee' && value === 'me') return t.me;
  if (key === 'assignee' && value === 'none') return t.noAssignee;
  return '';
}

function keyHint(key: Completion['key']): string {
  const hints: Record<Completion['key'], string> = {
    status: t.columnStatus,
    assignee: t.columnAssignee,
    tag: t.columnTags,
    priority: t.columnPriority,
    category: t.columnCategory,
    site: t.columnSite,
    from: t.filterFrom,
    before: t.filterCreatedTo,
    after: t.filterCreatedFrom,
    has: t.filterAttachment,
    is: t.filterSla,
  };
  return hints[key];
}

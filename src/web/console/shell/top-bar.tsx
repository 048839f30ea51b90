// The bar over every page: search, and how the connection is.

import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../shared/icons.tsx';
import { go, route } from '../route.ts';
import { ConnectionStatus } from './connection-status.tsx';
import { t } from './messages.ts';
import { openOverlay } from './overlays.ts';
import { searchField } from './search-field.ts';

export function TopBar() {
  return (
    <header class="top-bar">
      <button
        type="button"
        class="icon-button drawer-button"
        aria-label={t.openMenu}
        title={t.openMenu}
        onClick={() => openOverlay('drawer')}
      >
        <Icon name="menu" />
      </button>
      <Search />
      <div class="top-bar-end">
        <ConnectionStatus />
        <button
          type="button"
          class="icon-button"
          aria-label={t.keyboardShortcuts}
          title={t.keyboardShortcuts}
          onClick={() => openOverlay('help')}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

function Search() {
  const { value: here } = route;
  const field = useRef<HTMLInputElement>(null);
  const words = here.name === 'search' ? (here.query.get('q') ?? '') : '';
  useEffect(() => {
    searchField.current = field.current;
    return () => {
      searchField.current = null;
    };
  }, []);
  useEffect(() => {
    if (field.current !== null) field.current.value = words;
  }, [words]);
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = field.current?.value.trim() ?? '';
          if (wanted !== '') go(`/search?${new URLSearchParams({ q: wanted })}`);
        }}
      >
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          name="q"
          aria-label={t.search}
          placeholder={t.searchHint}
          autocomplete="off"
          spellcheck={false}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  );
}

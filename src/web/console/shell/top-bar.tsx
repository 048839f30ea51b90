// The bar over every page: search, and how the connection is.

import { Icon } from '../../shared/icons.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { t } from './messages.ts';
import { openOverlay } from './overlays.ts';

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
      <SearchBox />
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

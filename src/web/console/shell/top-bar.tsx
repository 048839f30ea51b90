// The bar over every page: search, and how the connection is.

import { Button } from '../../shared/button.tsx';
import { Icon, Mark } from '../../shared/icons.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { t } from './messages.ts';
import { openOverlay } from './overlays.ts';
import { signOut } from './sign-out.ts';

/** @param isAlone there is only one page, until the agent has done what it asks for */
export function TopBar({ isAlone }: { isAlone: boolean }) {
  if (isAlone) {
    return (
      <header class="top-bar">
        <Mark />
        <div class="top-bar-end">
          <Button onClick={() => void signOut()}>{t.signOut}</Button>
        </div>
      </header>
    );
  }
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

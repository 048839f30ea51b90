// The bar over every page: search, and how the connection is.

import { Button } from '../../shared/button.tsx';
import { Icon, Mark } from '../../shared/icons.tsx';
import { isAway } from '../live/live.ts';
import { Link } from '../route.ts';
import { SearchBox } from '../search/search-box.tsx';
import { can, session } from '../session.ts';
import { t } from './messages.ts';
import { onDemand } from './on-demand.tsx';
import { openOverlay } from './overlays.ts';
import { signOut } from './sign-out.ts';

const Bell = onDemand(async () => (await import('./on-demand-parts.ts')).Bell);

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
        {(session.value === null || can('write')) && (
          <Link href="/tickets/new" class="button plain new-ticket-button" title={`${t.newTicket} (C)`}>
            <Icon name="plus" />
            <span class="button-text">{t.newTicket}</span>
          </Link>
        )}
        <Bell />
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

/** Says when the desk cannot be reached. */
function ConnectionStatus() {
  return (
    <p class={isAway.value ? 'connection is-offline' : 'connection'} role="status">
      {isAway.value && (
        <>
          <Icon name="offline" />
          <span class="connection-text" title={t.connectionOffline}>
            {t.connectionOffline}
          </span>
        </>
      )}
    </p>
  );
}

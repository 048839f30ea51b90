// Says when the desk cannot be reached.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Icon } from '../../shared/icons.tsx';
import { connection } from '../live/live.ts';
import { t } from './messages.ts';

// What passes by itself is not worth a word.
const patienceMs = 2000;

export function ConnectionStatus() {
  const isShown = useSignal(false);
  const isAway = connection.value === 'offline';
  useEffect(() => {
    const timer = setTimeout(
      () => {
        isShown.value = isAway;
      },
      isAway ? patienceMs : 0,
    );
    return () => clearTimeout(timer);
  }, [isAway]);
  return (
    <p class={isShown.value ? 'connection is-offline' : 'connection'} role="status">
      {isShown.value && (
        <>
          <Icon name="offline" />
          <span class="connection-text">{t.connectionOffline}</span>
        </>
      )}
    </p>
  );
}

// Says when the desk cannot be reached.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
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
    <p class="connection" role="status">
      {isShown.value && t.connectionOffline}
    </p>
  );
}

// Says when the browser has no network.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from './messages.ts';

export function ConnectionStatus() {
  const isOnline = useSignal(navigator.onLine);
  useEffect(() => {
    const look = () => {
      isOnline.value = navigator.onLine;
    };
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return (
    <p class="connection" role="status">
      {!isOnline.value && t.connectionOffline}
    </p>
  );
}

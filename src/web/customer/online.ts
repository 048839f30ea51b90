// Whether the browser has a network.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export function useOnline(): boolean {
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
  return isOnline.value;
}

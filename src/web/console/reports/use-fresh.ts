// What a page asks the desk for, and again when the agent comes back to it.

import { useEffect } from 'preact/hooks';
import { onCatchUp } from '../live/live.ts';
import { type Fetched, useFetched } from '../shell/fetched.ts';

export function useFresh<Data>(path: string): Fetched<Data> {
  const fetched = useFetched<Data>(path);
  const { reload } = fetched;
  useEffect(() => {
    const look = () => {
      if (!document.hidden) reload();
    };
    document.addEventListener('visibilitychange', look);
    const end = onCatchUp(reload);
    return () => {
      document.removeEventListener('visibilitychange', look);
      end();
    };
  }, []);
  return fetched;
}

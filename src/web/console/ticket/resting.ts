// Whether the agent stays at a place: at once after a pause, and only at the end of a row of quick steps, such as of a held key.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { now } from '../../shared/clock.ts';

const restMs = 150;

export function useResting(place: string): boolean {
  const last = useRef({ place, at: 0, isQuick: false });
  const rested = useSignal(place);
  if (last.current.place !== place) {
    const at = now();
    last.current = { place, at, isQuick: at - last.current.at < restMs };
  }
  useEffect(() => {
    const timer = setTimeout(() => {
      rested.value = place;
    }, restMs);
    return () => clearTimeout(timer);
  }, [place]);
  return !last.current.isQuick || rested.value === place;
}

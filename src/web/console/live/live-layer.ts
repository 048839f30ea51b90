// Begins to follow the desk, as soon as the page has what it is about.

import { effect } from '@preact/signals';
import { timer } from '../../shared/clock.ts';
import { endCalls } from '../../shared/signed-in.ts';
import { isFirstShown, onDemandPart } from '../shell/load-part.ts';
import { isOfAnother, noteMoments } from './live.ts';
import { startUpgrading } from './upgrade.ts';

const streamPart = onDemandPart(async () => await import('./stream-part.ts'));
const retryMs = 5000;
/** A page that is refused, or waits, holds nothing up for longer. */
const firstAtMostMs = 3000;

export function startLiveLayer(): void {
  noteMoments();
  startUpgrading();
  effect(() => {
    if (isFirstShown.value) void streamPart.begin();
  });
  timer.later(firstAtMostMs, () => {
    isFirstShown.value = true;
  });
  effect(() => {
    const { value: loaded } = streamPart.state;
    if (loaded === 'failed') timer.later(retryMs, () => void streamPart.begin());
    else if (loaded !== null) {
      loaded.part.startStream();
      loaded.part.startPresence();
      loaded.part.startPush();
    }
  });
  effect(() => {
    if (isOfAnother.value) endCalls();
  });
}

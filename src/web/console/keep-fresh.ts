// Reloads the views, counts and catalogue of the shell on live events and after the choice of a site.

import { computed, effect } from '@preact/signals';
import { refreshCatalogue } from './catalogue.ts';
import { counts, onCatchUp, onEvent } from './live/live.ts';
import { chosenSite, loadSession, session } from './session.ts';
import { loadCounts, loadViews, takeCounts } from './views/views.ts';

export function startShellData(): void {
  void loadSession();
  void loadViews();
  effect(() => {
    // Read, so that another choice asks again.
    chosenSite.value;
    void loadCounts();
  });
  effect(() => {
    if (Object.keys(counts.value).length > 0) takeCounts(counts.value);
  });
  onEvent(({ event }) => {
    if (event.startsWith('site.')) void Promise.all([refreshCatalogue(), loadSession()]);
    // Where the stream brings counts of its own, they are enough.
    isStale ||= Object.keys(counts.peek()).length === 0;
    countAgain();
  });
  document.addEventListener('visibilitychange', countAgain);
  onCatchUp(() => void Promise.all([loadSession(), loadViews(), loadCounts(), refreshCatalogue()]));
  reloadOnceAllowed();
}

const countGapMs = 2000;
let isStale = false;
let isWaiting = false;

/** At most every two seconds, and only for those who look. */
function countAgain(): void {
  if (!isStale || isWaiting || document.hidden) return;
  isStale = false;
  isWaiting = true;
  void loadCounts();
  setTimeout(() => {
    isWaiting = false;
    countAgain();
  }, countGapMs);
}

/** Until a required second factor is added, the desk shows nothing else. */
function reloadOnceAllowed(): void {
  const mustAdd = computed(() => session.value?.must_add_second_factor ?? false);
  let hadToAdd = false;
  effect(() => {
    if (hadToAdd && !mustAdd.value) void Promise.all([loadViews(), loadCounts()]);
    hadToAdd = mustAdd.value;
  });
}

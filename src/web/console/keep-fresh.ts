// What the shell shows follows the desk: views, counts and catalogue, from the live stream and after the choice of a site.

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
  });
  onCatchUp(() => void Promise.all([loadSession(), loadViews(), loadCounts(), refreshCatalogue()]));
  reloadOnceAllowed();
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

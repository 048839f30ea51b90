// The console, where agents work.

import { effect } from '@preact/signals';
import { start } from '../shared/start.tsx';
import { startLiveLayer } from './live/live-layer.tsx';
import { chosenSite, loadSession } from './session.ts';
import { Shell } from './shell/shell.tsx';
import { loadCounts, loadViews } from './views/views.ts';

startLiveLayer();
void loadSession();
void loadViews();
effect(() => {
  if (chosenSite.value !== undefined) void loadCounts();
});
await start(Shell);

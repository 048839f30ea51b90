// The console, where agents work.

import { start } from '../shared/start.tsx';
import { startShellData } from './keep-fresh.ts';
import { startLiveLayer } from './live/live-layer.ts';
import { Shell } from './shell/shell.tsx';

startLiveLayer();
startShellData();
await start(Shell);

// The console, where agents work.

import { start } from '../shared/start.tsx';
import { loadSession } from './session.ts';
import { Shell } from './shell/shell.tsx';

void loadSession();
await start(Shell);

// Starts the reader process when the desk runs from source; the executable has a hidden command (cli/main.ts).

import { runReader } from './child.ts';

await runReader();

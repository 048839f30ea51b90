// Starts the reader process where the desk runs from its sources; the executable has a hidden word for it (cli/main.ts).

import { runReader } from './child.ts';

await runReader();

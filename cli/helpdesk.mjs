#!/usr/bin/env node
// What Node starts: refuses what is too old, keeps compiled code beside the program, and starts the program.

import module from 'node:module';
import { fileURLToPath } from 'node:url';

const { node, sqlite } = process.versions;
const isBefore = (version, major, minor) => {
  const [first, second] = version.split('.').map(Number);
  return first < major || (first === major && second < minor);
};
if (sqlite === undefined || isBefore(node, 24, 7) || isBefore(sqlite, 3, 53)) {
  const own = sqlite === undefined ? 'without SQLite' : `with SQLite ${sqlite}`;
  console.error(`Helpdesk needs Node 24.16 or newer, or 26, with SQLite 3.53. This is Node ${node} ${own}.`);
  process.exit(1);
}
// Who can write there could also change the program. If this user cannot, Node compiles at each start.
if (process.argv.includes('serve')) {
  module.enableCompileCache(fileURLToPath(new URL('.compiled', import.meta.url)));
  setTimeout(() => module.flushCompileCache(), 2000).unref();
}
// A signal ends the first process of a container only if it is handled, and the program takes a moment to load.
if (process.pid === 1) {
  const endUnlessHandled = (signal, number) => {
    if (process.listenerCount(signal) === 1) process.exit(128 + number);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, endUnlessHandled);
}
import('./desk.mjs');

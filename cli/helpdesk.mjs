#!/usr/bin/env node
// What Node starts: refuses a version that is too old, keeps compiled code beside the program, and starts the program.

import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(`Helpdesk needs Node 24.7 or newer. This is Node ${process.versions.node}.`);
  process.exit(1);
}
// Who can write there could also change the program. If this user cannot, Node compiles at each start.
if (process.argv.includes('serve')) {
  module.enableCompileCache(fileURLToPath(new URL('.compiled', import.meta.url)));
  setTimeout(() => module.flushCompileCache(), 2000).unref();
}
import('./desk.mjs');

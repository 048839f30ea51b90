// The two builds of the desk, and where a tool finds them. HELPDESK_BUILD chooses.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Build {
  executable: string;
  command: string;
  /** Folders that come first in PATH: the module for Node begins with `#!/usr/bin/env node`. */
  readonly programs: string[];
}

/** The Node that package.json pins for tests; HELPDESK_NODE names another one. */
function nodeFolder(): string {
  const given = process.env.HELPDESK_NODE;
  if (given) return dirname(given);
  const { resolve } = createRequire(import.meta.url);
  return join(dirname(resolve(`node-${process.platform}-${process.arch}/package.json`)), 'bin');
}

export const builds: Readonly<Record<'bun' | 'node', Build>> = {
  bun: { executable: 'dist/helpdesk', command: 'bun run build', programs: [] },
  node: {
    executable: 'dist/node/helpdesk.mjs',
    command: 'bun run build:node',
    get programs() {
      return [nodeFolder()];
    },
  },
};

/** What starts an executable, the module for Node, or the sources. */
export function commandOf(executable: string): string[] {
  if (executable.endsWith('.mjs')) return [join(nodeFolder(), 'node'), executable];
  return executable.endsWith('.ts') ? [process.execPath, executable] : [executable];
}

export function chosenBuild(): keyof typeof builds {
  const name = process.env.HELPDESK_BUILD ?? 'bun';
  if (name === 'bun' || name === 'node') return name;
  throw new Error(`HELPDESK_BUILD is ${name}; it can be bun or node.`);
}

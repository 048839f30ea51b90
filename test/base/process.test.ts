// A long command gives way to the desk on the processor.

import { expect, test } from 'bun:test';

test('who gives way runs with a lower priority', () => {
  const source = new URL('../../src/base/process.ts', import.meta.url).pathname;
  const priorityAfter = (act: string) => {
    const script = `const { giveWay } = await import('${source}'); ${act}; console.log(require('node:os').getPriority());`;
    return Number(Bun.spawnSync([process.execPath, '-e', script]).stdout.toString());
  };
  expect(priorityAfter('giveWay()')).toBe(Math.max(10, priorityAfter('')));
});

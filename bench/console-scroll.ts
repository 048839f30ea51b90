// Scrolling through a whole list in Chromium: how long the viewport lacks rows, and what it leaves in memory.

import type { CDPSession, Page } from 'puppeteer-core';
import type { Figure } from './console-browser.ts';
import type { WatchedWindow } from './console-page.ts';

/** Rows a second: a hundred thousand take 40 seconds. */
const pace = 2500;
const rowsBefore = 2000;
const jumps = 30;

interface Scrolled {
  longestBlankMs: number;
  rows: number;
}

export async function scrollEverything(page: Page): Promise<Figure[]> {
  const cdp = await page.createCDPSession();
  await cdp.send('HeapProfiler.enable');
  await page.evaluate(scrollRows, { pace, until: rowsBefore });
  const before = await heapMegabytes(cdp);
  const all = await page.evaluate(scrollRows, { pace, until: Number.MAX_SAFE_INTEGER });
  const blankAfterJump = await page.evaluate(jumpAround, jumps);
  const after = await heapMegabytes(cdp);
  await cdp.detach();
  return [
    { name: `blank row while ${all.rows} scroll by, longest`, value: all.longestBlankMs, unit: 'ms', target: 100 },
    { name: 'blank row after a jump by the scrollbar, longest', value: blankAfterJump, unit: 'ms', target: 100 },
    { name: 'heap after scrolling everything', value: after, unit: 'MB', target: before * 1.2, floor: before },
  ];
}

async function heapMegabytes(cdp: CDPSession): Promise<number> {
  // What was on its way goes first.
  await Bun.sleep(1000);
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

async function scrollRows(to: { pace: number; until: number }): Promise<Scrolled> {
  const { watching } = window as unknown as WatchedWindow;
  const { grid, rowHeight } = watching.grid();
  const start = grid.scrollTop;
  const begun = performance.now();
  const end = Math.min(grid.scrollHeight - grid.clientHeight, to.until * rowHeight);
  let longestBlankMs = 0;
  let blankSince: number | null = null;
  for (;;) {
    await watching.frame();
    const moment = performance.now();
    if (blankSince !== null) longestBlankMs = Math.max(longestBlankMs, moment - blankSince);
    blankSince = watching.lacksRows() ? (blankSince ?? moment) : null;
    if (grid.scrollTop >= end - 1 && blankSince === null) break;
    grid.scrollTop = Math.min(end, start + ((moment - begun) / 1000) * to.pace * rowHeight);
  }
  return { longestBlankMs, rows: Math.round((grid.scrollTop + grid.clientHeight) / rowHeight) };
}

async function jumpAround(count: number): Promise<number> {
  const { watching } = window as unknown as WatchedWindow;
  const { grid } = watching.grid();
  const farthest = grid.scrollHeight - grid.clientHeight;
  let longest = 0;
  for (let at = 0; at < count; at += 1) {
    grid.scrollTop = ((at * 0.618_034) % 1) * farthest;
    const begun = performance.now();
    do await watching.frame();
    while (watching.lacksRows());
    longest = Math.max(longest, performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return longest;
}

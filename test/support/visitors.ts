// A desk and Chromium for a file of browser tests, and a fresh visitor for each test, whose page must have shown no fault.

import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'bun:test';
import { type Chromium, startChromium, type Visitor } from '../browser/browser.ts';

interface Visits {
  /** Starts the desk, once for the file. */
  open: (chromium: Chromium) => Promise<{ close: () => Promise<void> }>;
  /** Before each test. */
  come: (visitor: Visitor) => void | Promise<void>;
}

export function visitForEachTest({ open, come }: Visits): void {
  let chromium: Chromium;
  let visitor: Visitor;
  let desk: Awaited<ReturnType<Visits['open']>>;
  beforeAll(async () => {
    chromium = await startChromium();
    desk = await open(chromium);
  });
  beforeEach(async () => {
    visitor = await chromium.visitor();
    await come(visitor);
  });
  afterEach(async () => {
    const faults = visitor.faults();
    await visitor.close();
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    await chromium.close();
    await desk.close();
  });
}

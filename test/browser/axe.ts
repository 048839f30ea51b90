// What axe finds on a page: violations of WCAG 2.2, levels A and AA, and of good practice.

import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import { drawn, type Visitor } from './browser.ts';

const source = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/**
 * One line for each violation, with the element.
 * @param within selectors of the parts of the page to look at
 */
export async function violations({ page }: Visitor, within: readonly string[] = ['html']): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const run = (parts: readonly string[]) => {
    const { axe } = window as unknown as { axe: { run: (context: object, options: object) => Promise<unknown> } };
    // Frames have no script of their own, and would be waited for.
    return axe.run({ include: parts.map((part) => [part]) }, { resultTypes: ['violations'], iframes: false });
  };
  await drawn({ page });
  // What is still fading in has the contrast of the moment.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ).then(() => undefined),
  );
  const results = (await page.evaluate(run, within)) as AxeResults;
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html} ${any[0]?.message ?? ''}`),
  );
}

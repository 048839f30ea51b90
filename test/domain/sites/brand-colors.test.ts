// The colours made of a brand's own: whatever it is, people can read them in both themes.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { brandTones, contrast, leastContrast } from '../../../src/domain/sites/brand-colors.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

// src/web/shared/tokens.css
const surfaces = {
  light: ['#f7f7f8', '#ffffff', '#efeff1'],
  dark: ['#0f0f11', '#17171a', '#222226'],
} as const;

test('contrast is what WCAG says it is', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#123456', '#123456')).toBe(1);
});

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test('links, buttons and their text have enough contrast with every surface', () => {
    fc.assert(
      fc.property(color, (own) => {
        const { accent, accentPressed, onAccent, link } = brandTones(own, theme);
        for (const surface of surfaces[theme]) {
          expect(contrast(link, surface)).toBeGreaterThanOrEqual(leastContrast.text);
          expect(contrast(accent, surface)).toBeGreaterThanOrEqual(leastContrast.shape);
        }
        expect(contrast(onAccent, accent)).toBeGreaterThanOrEqual(leastContrast.text);
        expect(contrast(onAccent, accentPressed)).toBeGreaterThanOrEqual(leastContrast.text);
      }),
      { numRuns: 500, examples: [['#000000'], ['#ffffff'], ['#ffff00'], ['#808080'], ['#222226'], ['#efeff1']] },
    );
  });

  test('white and black become buttons that do not look switched off', () => {
    for (const own of ['#ffffff', '#000000']) {
      const { accent, onAccent } = brandTones(own, theme);
      expect(contrast(accent, surfaces[theme][1])).toBeGreaterThan(10);
      expect(contrast(onAccent, accent)).toBeGreaterThan(10);
    }
  });

  test('a colour that is read well already stays as it is', () => {
    const own = theme === 'light' ? '#1d4ed8' : '#7dd3fc';
    const { accent, link } = brandTones(own, theme);
    expect([accent, link]).toEqual([own, own]);
  });
});

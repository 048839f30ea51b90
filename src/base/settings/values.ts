// The kinds of text that several settings share: durations, lists and addresses.

import * as z from 'zod';

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  return match ? Number(match[1]) * units[match[2] as keyof typeof units] : null;
}

export const duration = z.string().transform((text, check) => {
  const ms = parseDuration(text);
  if (ms === null || ms < 1) {
    check.addIssue({ code: 'custom', message: 'a duration such as 10s, 15m, 1h or 7d' });
    return z.NEVER;
  }
  return ms;
});

export const optional = z.string().transform((text) => (text === '' ? null : text));

export const words = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '');

export const origin = z.string().transform((text, check) => {
  if (text === '') return null;
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol)) {
    check.addIssue({ code: 'custom', message: 'an http or https address such as https://desk.example.org' });
    return z.NEVER;
  }
  return text.replace(/\/+$/, '');
});

// The size of a file in words, the same on every page.

import { locale } from './format.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

export function fileSize(bytes: number): string {
  const at = bytes < 1000 ? 0 : bytes < 999_950 ? 1 : bytes < 999_950_000 ? 2 : 3;
  // In English, the short form of bytes has no plural.
  const unitDisplay = at === 0 ? 'long' : 'short';
  const options = { style: 'unit', unit: String(units[at]), unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale(), options).format(bytes / 1000 ** at);
}

/** A limit, without a fraction. */
export function sizeLimit(bytes: number): string {
  return fileSize(bytes < 1_000_000 ? bytes : Math.floor(bytes / 1_000_000) * 1_000_000);
}

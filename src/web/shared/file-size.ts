// The size of a file in words, the same on every page.

import { locale } from './format.ts';

export function fileSize(bytes: number): string {
  const [unit, value] =
    bytes < 1000 ? ['byte', bytes] : bytes < 999_950 ? ['kilobyte', bytes / 1000] : ['megabyte', bytes / 1_000_000];
  // In English, the short form of bytes has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  const options = { style: 'unit', unit: String(unit), unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale(), options).format(Number(value));
}

/** A limit, without a fraction. */
export function sizeLimit(bytes: number): string {
  return fileSize(bytes < 1_000_000 ? bytes : Math.floor(bytes / 1_000_000) * 1_000_000);
}

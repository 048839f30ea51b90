// The stylesheet of a brand's colour. It depends on nothing but its name, so no site is looked up.

import { brandTones } from '../../../domain/sites/brand-colors.ts';
import { assetPath } from '../page.tsx';

const namePattern = /^brand-([0-9a-f]{6})\.css$/;

export function brandStylePath(color: string): string {
  return `${assetPath}brand-${color.slice(1).toLowerCase()}.css`;
}

/** Undefined for a name that is not one of a brand. */
export function brandStyle(name: string): string | undefined {
  const [, digits] = namePattern.exec(name) ?? [];
  if (digits === undefined) return undefined;
  return `:root{${propertiesOf(`#${digits}`, 'light')}}:root[data-theme="dark"]{${propertiesOf(`#${digits}`, 'dark')}}`;
}

function propertiesOf(color: string, theme: 'light' | 'dark'): string {
  const { accent, accentPressed, onAccent, link } = brandTones(color, theme);
  return Object.entries({
    accent,
    'accent-pressed': accentPressed,
    'on-accent': onAccent,
    link,
    focus: link,
    'status-open': link,
  })
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

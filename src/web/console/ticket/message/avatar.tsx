// A person as two letters in a colour of their own.

import { initials } from '../../shell/initials.ts';

const colours = 6;

export function Avatar({ name }: { name: string }) {
  return (
    <span class={`face hue-${hueOf(name)}`} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return sum % colours;
}

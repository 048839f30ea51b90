// Bars for groups without an order, the longest first: each is a link to its tickets.

import { Link } from '../../route.ts';

interface Bar {
  key: string;
  name: string;
  value: number | null;
  text: string;
  href: string;
  /** Of the period before. */
  before: { value: number | null; text: string } | null;
}

/** @param most the value of the longest bar, for example 1 for shares */
export function Bars({ label, bars, most }: { label: string; bars: readonly Bar[]; most: number }) {
  const share = (value: number | null) => (most <= 0 ? 0 : (100 * (value ?? 0)) / most);
  return (
    <ul class="bars" aria-label={label}>
      {bars.map(({ key, name, value, text, href, before }) => (
        <li key={key}>
          <Link href={href} class="bar-row">
            <span class="bar-name" title={name}>
              <bdi>{name}</bdi>
            </span>
            <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
              <rect class="bar-track" width="100" height="10" />
              <rect class="bar-value" width={share(value)} height={before === null ? 10 : 6} />
              {before !== null && <rect class="bar-before" y="7" width={share(before.value)} height="3" />}
            </svg>
            <span class="bar-text">
              {text}
              {before !== null && <span class="soft">{before.text}</span>}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

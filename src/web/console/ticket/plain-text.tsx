// Text as it was written, with its web addresses as links.

import { useMemo } from 'preact/hooks';
import { textParts } from '../../shared/text-parts.ts';

export function PlainText({ text }: { text: string }) {
  const parts = useMemo(() => textParts(text), [text]);
  return (
    <div class="plain-text" dir="auto">
      {parts.map(({ text: words, href }) =>
        href === null ? (
          words
        ) : (
          // Text around it that runs from right to left must not show another address.
          <a href={href} dir="ltr" target="_blank" rel="noopener noreferrer nofollow">
            {words}
          </a>
        ),
      )}
    </div>
  );
}

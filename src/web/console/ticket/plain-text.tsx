// Text as it was written, with its web addresses as links.

import { useMemo } from 'preact/hooks';
import { textParts } from '../../shared/text-parts.ts';
import type { Named } from '../mentions.ts';
import { withMentions } from './with-mentions.tsx';

export function PlainText({ text, mentions = [] }: { text: string; mentions?: readonly Named[] }) {
  const parts = useMemo(() => textParts(text), [text]);
  return (
    <div class="plain-text" dir="auto">
      {parts.map(({ text: words, href }) =>
        href === null ? (
          withMentions(words, mentions)
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

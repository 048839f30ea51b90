// Text as it was written, with its web addresses as links.

import { useMemo } from 'preact/hooks';
import { linkedText } from '../../../shared/linked-text.tsx';
import type { Named } from '../../mentions.ts';
import { withMentions } from '../conversation/with-mentions.tsx';

export function PlainText({ text, mentions = [] }: { text: string; mentions?: readonly Named[] }) {
  const parts = useMemo(() => linkedText(text, (words) => withMentions(words, mentions)), [text, mentions]);
  return (
    <div class="plain-text" dir="auto">
      {parts}
    </div>
  );
}

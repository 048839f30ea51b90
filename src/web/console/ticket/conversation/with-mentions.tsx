// Text in which the names of mentioned agents stand out.

import type { ComponentChildren } from 'preact';
import { mentionsIn, type Named } from '../../mentions.ts';
import { me } from '../../session.ts';

export function withMentions(text: string, mentioned: readonly Named[]): ComponentChildren {
  const found = mentioned.length === 0 ? [] : mentionsIn(text, mentioned);
  if (found.length === 0) return text;
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { id, start, end } of found) {
    parts.push(
      text.slice(at, start),
      <span class={id === me.value?.id ? 'mention is-own' : 'mention'}>{text.slice(start, end)}</span>,
    );
    at = end;
  }
  return [...parts, text.slice(at)];
}

// A written message: elements made from the tree of its HTML. No text becomes HTML on the way.

import { type ComponentChildren, h } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Named } from '../mentions.ts';
import { type HtmlNode, htmlNodes } from './html-nodes.ts';
import { withMentions } from './with-mentions.tsx';

export function RichHtml({ html, mentions }: { html: string; mentions: readonly Named[] }) {
  const nodes = useMemo(() => htmlNodes(html), [html]);
  return (
    <div class="rich" dir="auto">
      {nodes.map((node) => elementOf(node, mentions))}
    </div>
  );
}

function elementOf(node: HtmlNode, mentions: readonly Named[]): ComponentChildren {
  if (typeof node === 'string') return withMentions(node, mentions);
  const { tag, href, start, children } = node;
  const named = ['a', 'code', 'pre'].includes(tag) ? [] : mentions;
  const inside = children.map((child) => elementOf(child, named));
  if (tag === 'a' && href === null) return h('span', null, ...inside);
  if (tag === 'a') return h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...inside);
  if (tag === 'ol') return h('ol', { start }, ...inside);
  // All of one level: a message may begin with any, and the page's own heading comes first.
  if (/^h[1-6]$/.test(tag)) return h('h2', { class: `level-${tag[1]}` }, ...inside);
  return h(tag, null, ...inside);
}

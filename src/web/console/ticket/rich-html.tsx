// A written message: elements made from the tree of its HTML. No text becomes HTML on the way.

import { type ComponentChildren, h } from 'preact';
import { useMemo } from 'preact/hooks';
import { type HtmlNode, htmlNodes } from './html-nodes.ts';

export function RichHtml({ html }: { html: string }) {
  const nodes = useMemo(() => htmlNodes(html), [html]);
  return (
    <div class="rich" dir="auto">
      {nodes.map(elementOf)}
    </div>
  );
}

function elementOf(node: HtmlNode): ComponentChildren {
  if (typeof node === 'string') return node;
  const { tag, href, start, children } = node;
  const inside = children.map(elementOf);
  if (tag === 'a' && href === null) return h('span', null, ...inside);
  if (tag === 'a') return h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...inside);
  if (tag === 'ol') return h('ol', { start }, ...inside);
  // All of one level: a message may begin with any, and the page's own heading comes first.
  if (/^h[1-6]$/.test(tag)) return h('h2', { class: `level-${tag[1]}` }, ...inside);
  return h(tag, null, ...inside);
}

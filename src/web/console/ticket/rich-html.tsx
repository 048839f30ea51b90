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

/** The page's own headings come first: those of a message begin below them. */
const lowered: Record<string, string> = { h1: 'h4', h2: 'h5', h3: 'h6', h4: 'h6', h5: 'h6' };

function elementOf(node: HtmlNode): ComponentChildren {
  if (typeof node === 'string') return node;
  const { tag, href, start, children } = node;
  const inside = children.map(elementOf);
  if (tag === 'a' && href === null) return h('span', null, ...inside);
  if (tag === 'a') return h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...inside);
  if (tag === 'ol') return h('ol', { start }, ...inside);
  return h(lowered[tag] ?? tag, null, ...inside);
}

// A written message: elements made from the tree of its HTML. No text becomes HTML on the way.

import { type ComponentChildren, h } from 'preact';
import { useMemo } from 'preact/hooks';
import { type HtmlNode, htmlNodes } from './html-nodes.ts';

type DrawText = (text: string) => ComponentChildren;

const asItIs: DrawText = (text) => text;

/** @param drawText draws what is neither in a link nor in code */
export function RichHtml({ html, drawText }: { html: string; drawText?: DrawText }) {
  const nodes = useMemo(() => htmlNodes(html), [html]);
  return (
    <div class="rich" dir="auto">
      {elementsOf(nodes, drawText)}
    </div>
  );
}

/** @param drawText draws what is neither in a link nor in code */
export function elementsOf(nodes: readonly HtmlNode[], drawText: DrawText = asItIs): ComponentChildren[] {
  return nodes.map((node) => elementOf(node, drawText));
}

function elementOf(node: HtmlNode, drawText: DrawText): ComponentChildren {
  if (typeof node === 'string') return drawText(node);
  const { tag, href, start, children } = node;
  const draw = ['a', 'code', 'pre'].includes(tag) ? asItIs : drawText;
  const inside = elementsOf(children, draw);
  if (tag === 'a' && href === null) return h('span', null, ...inside);
  if (tag === 'a') return h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...inside);
  if (tag === 'ol') return h('ol', { start }, ...inside);
  // All of one level: a message may begin with any, and the page's own heading comes first.
  if (/^h[1-6]$/.test(tag)) return h('h2', { class: `level-${tag[1]}` }, ...inside);
  return h(tag, null, ...inside);
}

// HTML that the desk rendered and sanitised, as a tree of the few elements that a written message has. Everything else is text.

export type HtmlNode = string | HtmlElement;

interface HtmlElement {
  tag: Tag;
  href: string | null;
  /** Of a numbered list; 1 for others. */
  start: number;
  children: HtmlNode[];
}

const tags = [
  'a',
  'b',
  'blockquote',
  'br',
  'code',
  'del',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'li',
  'ol',
  'p',
  'pre',
  's',
  'strong',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'u',
  'ul',
] as const;
type Tag = (typeof tags)[number];

const empty: readonly Tag[] = ['br', 'hr'];
/** Their content is not text for readers. */
const dropped = ['script', 'style', 'template', 'title', 'textarea', 'iframe', 'object', 'svg', 'math', 'noscript'];
const deepest = 40;

const token = /<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>|[^<]+|</gi;
const attribute = (name: string) => new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
const [hrefOf, startOf] = [attribute('href'), attribute('start')];

export function htmlNodes(html: string): HtmlNode[] {
  const root: HtmlNode[] = [];
  const open: HtmlElement[] = [];
  let skipped: string | null = null;
  const add = (node: HtmlNode) => {
    const children = open.at(-1)?.children ?? root;
    const last = children.at(-1);
    if (typeof node === 'string' && typeof last === 'string') children[children.length - 1] = last + node;
    else children.push(node);
  };
  for (const [text, slash, name, attributes = ''] of html.matchAll(token)) {
    const tag = name?.toLowerCase();
    if (skipped !== null) {
      if (slash === '/' && tag === skipped) skipped = null;
    } else if (tag === undefined) {
      if (!text.startsWith('<!--')) add(decoded(text));
    } else if (slash === '/') close(open, tag);
    else if (dropped.includes(tag)) skipped = tag;
    else if (isTag(tag)) {
      const element = {
        tag,
        href: tag === 'a' ? safeHref(attributes) : null,
        start: numberIn(attributes),
        children: [],
      };
      add(element);
      if (!empty.includes(tag) && open.length < deepest) open.push(element);
    }
  }
  return root;
}

function isTag(name: string): name is Tag {
  return (tags as readonly string[]).includes(name);
}

function close(open: HtmlElement[], tag: string): void {
  const at = open.findLastIndex((element) => element.tag === tag);
  if (at >= 0) open.length = at;
}

function valueIn(attributes: string, pattern: RegExp): string {
  const [, double, single, bare] = pattern.exec(attributes) ?? [];
  return decoded(double ?? single ?? bare ?? '');
}

function safeHref(attributes: string): string | null {
  const href = valueIn(attributes, hrefOf)
    .trim()
    .replace(/^(mailto:[^?]*).*$/is, '$1');
  return /^(?:https?:\/\/|mailto:|tel:)/i.test(href) && URL.canParse(href) ? href : null;
}

function numberIn(attributes: string): number {
  const start = Number(valueIn(attributes, startOf));
  return Number.isSafeInteger(start) && start > 0 ? start : 1;
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\ufffd';
  });
}

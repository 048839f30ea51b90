// Makes untrusted HTML safe to show: allowed elements and styles only, remote images on request.
import sanitizeHtml from 'sanitize-html';
import { linkSchemes } from '../link-schemes.ts';
import { isNestedTooDeep, withoutTags } from './html-text.ts';
import { mailLimits } from './limits.ts';

type SanitiseOptions = {
  /** Null keeps the cid in data-cid, so that stored HTML can get short-lived URLs when it is shown. */
  cidUrl: (cid: string) => string | null;
  /** The stored name of an attachment, which replaces its cid. */
  keptAs?: (cid: string) => string | undefined;
  allowRemoteImages?: boolean;
};

type SanitisedHtml = {
  html: string;
  /** Each keeps its URL in data-remote-src. */
  heldBackImages: number;
};

const allowedTags = [
  'a',
  'abbr',
  'address',
  'b',
  'bdi',
  'bdo',
  'big',
  'blockquote',
  'br',
  'caption',
  'center',
  'cite',
  'code',
  'col',
  'colgroup',
  'dd',
  'del',
  'details',
  'dfn',
  'div',
  'dl',
  'dt',
  'em',
  'figcaption',
  'figure',
  'font',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'img',
  'ins',
  'kbd',
  'li',
  'mark',
  'ol',
  'p',
  'pre',
  'q',
  's',
  'samp',
  'small',
  'span',
  'strike',
  'strong',
  'sub',
  'summary',
  'sup',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'time',
  'tr',
  'tt',
  'u',
  'ul',
  'var',
  'wbr',
];

/** Dropped with their text. Not head: unclosed, it would swallow the message. */
const droppedWithContent = [
  'script',
  'style',
  'textarea',
  'option',
  'title',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
];

const colour = [/^#[0-9a-f]{3,8}$/i, /^rgba?\([\d\s.,%]{1,40}\)$/i, /^[a-z]{3,20}$/i];
const length = [/^-?\d{1,4}(\.\d{1,3})?(px|pt|em|rem|ex|%|in|cm|mm)?$/i];
const positive = [
  /^\d{1,3}(\.\d{1,3})?(px|pt|em|rem|ex|%|in|cm|mm)?$/i,
  /^(xx-small|x-small|small|medium|large|x-large|xx-large|smaller|larger|normal|auto)$/i,
];
const lengths = [/^(\d{1,3}(\.\d{1,3})?(px|pt|em|rem|%|in|cm|mm)?\s{0,3}|auto\s{0,3}){1,4}$/i];
const word = [/^[a-z-]{1,20}$/i];
const border = [/^[a-z0-9#.%\s(),-]{1,60}$/i];

/** No position, no url(), nothing negative: a message stays in its frame. */
const allowedStyles: sanitizeHtml.IOptions['allowedStyles'] = {
  '*': {
    color: colour,
    'background-color': colour,
    'font-size': positive,
    'font-weight': [/^(bold|bolder|lighter|normal|[1-9]00)$/i],
    'font-style': word,
    'font-family': [/^[\w\s,'"-]{1,200}$/],
    'text-align': word,
    'text-decoration': [/^[a-z\s-]{1,40}$/i],
    'text-indent': positive,
    'line-height': positive,
    'white-space': [/^(normal|pre|pre-wrap|pre-line|nowrap)$/i],
    'vertical-align': word,
    'list-style-type': word,
    margin: lengths,
    'margin-top': positive,
    'margin-right': positive,
    'margin-bottom': positive,
    'margin-left': positive,
    padding: lengths,
    'padding-top': positive,
    'padding-right': positive,
    'padding-bottom': positive,
    'padding-left': positive,
    border,
    'border-top': border,
    'border-right': border,
    'border-bottom': border,
    'border-left': border,
    'border-color': border,
    'border-style': border,
    'border-width': lengths,
    'border-collapse': word,
    width: length,
    'max-width': length,
    height: length,
  },
};

/** Never throws: long HTML is cut, deeply nested HTML becomes text. Safe to run on its own output. */
export function sanitiseHtml(html: string, options: SanitiseOptions): SanitisedHtml {
  const bounded = html.slice(0, mailLimits.htmlBytes).toWellFormed();
  if (isNestedTooDeep(bounded)) return asText(bounded);
  let heldBackImages = 0;
  const image = (_tag: string, attributes: sanitizeHtml.Attributes): sanitizeHtml.Tag => {
    const shown = imageSource(attributes, options);
    if (shown.held) heldBackImages++;
    return {
      tagName: 'img',
      attribs: { ...keep(attributes, ['alt', 'title', 'width', 'height', 'style']), ...shown.attributes },
    };
  };
  try {
    const clean = sanitizeHtml(bounded, {
      allowedTags,
      nonTextTags: droppedWithContent,
      disallowedTagsMode: 'discard',
      allowedAttributes: {
        '*': ['style', 'dir', 'lang', 'title'],
        a: ['href', 'rel', 'target'],
        img: ['src', 'alt', 'width', 'height', 'data-remote-src', 'data-cid', 'loading', 'referrerpolicy'],
        table: ['width', 'border', 'cellpadding', 'cellspacing', 'align', 'bgcolor'],
        td: ['width', 'height', 'align', 'valign', 'bgcolor', 'colspan', 'rowspan'],
        th: ['width', 'height', 'align', 'valign', 'bgcolor', 'colspan', 'rowspan', 'scope'],
        tr: ['align', 'valign', 'bgcolor'],
        col: ['width', 'span'],
        ol: ['start', 'type', 'reversed'],
        li: ['value'],
        font: ['color', 'size', 'face'],
        time: ['datetime'],
        blockquote: ['type'],
      },
      allowedStyles,
      allowedSchemes: [...linkSchemes],
      allowedSchemesByTag: { img: ['http', 'https', 'data', 'blob'] },
      allowedSchemesAppliedToAttributes: ['href', 'src', 'cite'],
      allowProtocolRelative: false,
      enforceHtmlBoundary: false,
      parseStyleAttributes: true,
      transformTags: { a: link, img: image },
    });
    return { html: clean, heldBackImages };
  } catch {
    return asText(bounded);
  }
}

/** Links open a new tab without a referrer; an unsafe link becomes text. */
function link(_tag: string, attributes: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const href = (attributes.href ?? '').trim();
  if (!/^(https?:\/\/|mailto:|tel:)/i.test(href))
    return { tagName: 'span', attribs: keep(attributes, ['style', 'title']) };
  return {
    tagName: 'a',
    attribs: { ...keep(attributes, ['style', 'title']), href, rel: 'noopener noreferrer nofollow', target: '_blank' },
  };
}

function imageSource(
  attributes: sanitizeHtml.Attributes,
  options: SanitiseOptions,
): { attributes: sanitizeHtml.Attributes; held: boolean } {
  const source = (attributes['data-remote-src'] ?? attributes.src ?? '').trim();
  const common = { loading: 'lazy', referrerpolicy: 'no-referrer' };
  const cid = attributes['data-cid'] ?? (/^cid:/i.test(source) ? decodeCid(source.slice(4)) : null);
  if (cid !== null) {
    const url = options.cidUrl(cid);
    const named = { 'data-cid': options.keptAs?.(cid) ?? cid };
    return { attributes: url === null ? named : { src: url, ...named, ...common }, held: false };
  }
  // SVG can contain scripts, so it is not allowed.
  if (/^data:image\/(png|gif|jpe?g|webp);base64,[a-z0-9+/=\s]+$/i.test(source))
    return { attributes: { src: source }, held: false };
  if (!/^https?:\/\//i.test(source)) return { attributes: {}, held: false };
  if (options.allowRemoteImages === true) return { attributes: { src: source, ...common }, held: false };
  return { attributes: { 'data-remote-src': source }, held: true };
}

function decodeCid(cid: string): string {
  try {
    return decodeURIComponent(cid);
  } catch {
    return cid;
  }
}

function keep(attributes: sanitizeHtml.Attributes, names: readonly string[]): sanitizeHtml.Attributes {
  return Object.fromEntries(
    names.flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])),
  );
}

function asText(html: string): SanitisedHtml {
  const escaped = withoutTags(html)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return { html: `<p>${escaped}</p>`, heldBackImages: 0 };
}

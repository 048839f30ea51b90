// Makes untrusted HTML safe to show: allowed elements and styles only, remote images on request.
import sanitizeHtml from 'sanitize-html';
import { isAddress } from '../../domain/mail/address.ts';
import { linkSchemes } from '../link-schemes.ts';
import { allowedAttributes, allowedStyles, allowedTags, droppedWithContent } from './allowed-html.ts';
import { isNestedTooDeep, withoutTags } from './html-text.ts';
import { mailLimits } from './limits.ts';

type SanitiseOptions = {
  /** Null keeps the cid in data-cid, so that stored HTML can get short-lived URLs when it is shown. */
  cidUrl: (cid: string) => string | null;
  keptAs?: (cid: string) => string | undefined;
  allowRemoteImages?: boolean;
};

type SanitisedHtml = {
  html: string;
  /** Each keeps its URL in data-remote-src. */
  heldBackImages: number;
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
      allowedAttributes,
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

/** A `mailto:` link could also fill in who else gets the mail, its text and files. */
function hrefOf(href: string): string | null {
  const [, mailed] = /^mailto:([^?]*)/i.exec(href) ?? [];
  if (mailed === undefined) return /^(https?:\/\/|tel:)/i.test(href) ? href : null;
  const address = decoded(mailed);
  return isAddress(address) ? `mailto:${encodeURIComponent(address).replace('%40', '@')}` : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return '';
  }
}

/** Links open a new tab without a referrer; an unsafe link becomes text. */
function link(_tag: string, attributes: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const href = hrefOf((attributes.href ?? '').trim());
  if (href === null) return { tagName: 'span', attribs: keep(attributes, ['style', 'title']) };
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

// Which links in untrusted HTML are safe to follow.

export const linkSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel'];

/** Browsers skip spaces and control characters in a scheme. */
export function isSafeLink(href: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip exactly these.
  const bare = href.slice(0, 4000).replace(/[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028\u2029\ufeff]+/g, '');
  const scheme = /^([^/?#:]*):/.exec(bare)?.[1];
  return scheme === undefined || linkSchemes.includes(scheme.toLowerCase());
}

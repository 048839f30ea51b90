// Which links of other people's HTML may be followed.

export const linkSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel'];

/** False where the link names a scheme that is not one of them. Browsers skip spaces and control characters in it. */
export function isSafeLink(href: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip exactly these.
  const bare = href.slice(0, 4000).replace(/[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028\u2029\ufeff]+/g, '');
  const scheme = /^([^/?#:]*):/.exec(bare)?.[1];
  return scheme === undefined || linkSchemes.includes(scheme.toLowerCase());
}

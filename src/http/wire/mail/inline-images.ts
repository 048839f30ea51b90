// Images of HTML mail: inline ones linked to the signed URLs of their attachments, and those of other hosts.

const image = /<img\b[^<>]*? data-cid="([^"<>]*)"[^<>]*>/g;

/** @param html sanitised when it arrived (src/mail/inbound/sanitise.ts); an `img` names its attachment in `data-cid` */
export function withInlineImages(html: string, urlOf: (ulid: string) => string | undefined): string {
  return html.replace(image, (element, ulid: string) => {
    const url = urlOf(ulid);
    if (url === undefined) return element;
    return element.replace('<img', `<img src="${url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`);
  });
}

/** Mail that came before the sanitiser kept only the address of such a link. */
export function withPlainMailLinks(html: string): string {
  return html.replace(/ href="(mailto:[^"?]*)\?[^"]*"/gi, ' href="$1"');
}

const anyImage = /<img\b[^<>]*>/g;

/** The sanitiser kept their addresses where browsers do not load them. */
export function withRemoteImages(html: string): string {
  return html.replace(anyImage, (element) => element.replace(' data-remote-src="', ' loading="lazy" src="'));
}

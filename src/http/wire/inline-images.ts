// Inline images of HTML mail, linked to the signed URLs of their attachments.

const image = /<img\b[^<>]*? data-cid="([^"<>]*)"[^<>]*>/g;

/** @param html sanitised when it arrived (src/mail/inbound/sanitise.ts); an `img` names its attachment in `data-cid` */
export function withInlineImages(html: string, urlOf: (ulid: string) => string | undefined): string {
  return html.replace(image, (element, ulid: string) => {
    const url = urlOf(ulid);
    if (url === undefined) return element;
    return element.replace('<img', `<img src="${url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`);
  });
}

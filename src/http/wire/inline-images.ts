// Pictures within a mail's HTML, at the signed addresses of its attachments.

const image = /<img\b[^<>]*? data-cid="([^"<>]*)"[^<>]*>/g;

/**
 * HTML that was sanitised when it arrived (src/mail/inbound/sanitise.ts), where an `img` names its attachment in `data-cid`.
 * @param urlOf the address of one of the message's own attachments
 */
export function withInlineImages(html: string, urlOf: (ulid: string) => string | undefined): string {
  return html.replace(image, (element, ulid: string) => {
    const url = urlOf(ulid);
    if (url === undefined) return element;
    return element.replace('<img', `<img src="${url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`);
  });
}

// Replies quote the desk's mails, and with them the recipient's link. What is stored has the link without its secret
// (docs/customers.md#links-that-replies-quote).

import type { InboundMessage } from './message.ts';

// Secrets of links and access tokens, 43 characters each. Mail programs break long lines also within a link, and quote what follows;
// link scanners write some characters otherwise.
const secret = /hd[al](?:_|%5F|-5F)(?:(?:=?\r?\n[ \t>]{0,20})?[\w-]){20,43}/gi;

const removed = 'removed';

function withoutLinkSecrets(text: string): string {
  return text.replace(secret, removed);
}

type Written = Pick<InboundMessage, 'subject' | 'text' | 'html' | 'embedded'>;

export function forgetLinkSecrets<Message extends Written>(message: Message): Message {
  const clean = (text: string | null) => (text === null ? null : withoutLinkSecrets(text));
  return {
    ...message,
    subject: withoutLinkSecrets(message.subject),
    text: clean(message.text),
    html: clean(message.html),
    embedded: message.embedded.map((one) => ({
      ...one,
      subject: withoutLinkSecrets(one.subject),
      text: clean(one.text),
      html: clean(one.html),
    })),
  };
}

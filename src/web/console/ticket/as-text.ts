// A ticket as text, for pasting into other programs.

import type { TicketDetail } from '../wire.ts';

interface TextWords {
  note: string;
  files: (names: string) => string;
  when: (iso: string) => string;
}

export function ticketAsText(ticket: TicketDetail, link: string, words: TextWords): string {
  const messages = ticket.messages
    .filter(({ send_at: at }) => at == null)
    .map((message) => {
      const kind = message.is_internal ? ` (${words.note})` : '';
      const files = message.attachments.map(({ filename }) => filename).join(', ');
      const parts = [`${message.author_name}${kind}, ${words.when(message.created_at)}`, message.body];
      if (files !== '') parts.push(words.files(files));
      return parts.join('\n');
    });
  return [`${ticket.reference} ${ticket.subject}`, link, '', messages.join('\n\n---\n\n'), ''].join('\n');
}

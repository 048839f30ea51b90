// Copying links and texts from the ticket page, also where browsers give pages no clipboard.

import { copyAnywhere } from '../../shared/copying.ts';
import { dateAndTime } from '../../shared/format.ts';
import { announce } from '../../shared/notices.tsx';
import { subjectText } from '../list/messages.ts';
import type { TicketDetail } from '../wire.ts';
import { t } from './messages.ts';

async function copy(text: string, done: string): Promise<void> {
  if (await copyAnywhere(text)) announce(done);
  else announce(`${t.copyFailed} ${text.slice(0, 200)}`, 'problem');
}

const linkTo = (ticket: string) => `${location.origin}/tickets/${ticket}`;

export async function copyTicketLink(ticket: string): Promise<void> {
  await copy(linkTo(ticket), t.linkCopied);
}

export async function copyMessageLink(ticket: string, message: string): Promise<void> {
  await copy(`${linkTo(ticket)}?message=${message}`, t.linkCopied);
}

export async function copyTicketAsText(ticket: TicketDetail): Promise<void> {
  const words = { note: t.noteBadge, files: t.filesInText, when: dateAndTime };
  await copy(ticketAsText(ticket, linkTo(ticket.ulid), words), t.textCopied);
}

// A ticket as text, for pasting into other programs.
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
  return [`${ticket.reference} ${subjectText(ticket.subject)}`, link, '', messages.join('\n\n---\n\n'), ''].join('\n');
}

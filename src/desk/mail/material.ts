// What a message brings to a ticket: its text and its files.

import { truncate } from '../../domain/text.ts';
import type { RefusedFile } from '../../domain/tickets/files.ts';
import type { Tx } from '../../engine/database.ts';
import type { AboveLine } from '../../mail/reply/above-line.ts';
import type { Site } from '../../store/sites/sites.ts';
import { countAttachments, type Message } from '../../store/tickets/messages.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import type { Understood } from '../rules/question.ts';
import { attachReceived, maxAttachmentsPerTicket, roomOfSite, type StoredFile } from '../tickets/attachments.ts';

export interface MailMaterial extends Understood {
  aboveLine: AboveLine | null;
  html: string | null;
  files: StoredFile[];
  /** Each with why. */
  refused: RefusedFile[];
  remark?: string | null;
}

const mostRefused = 20;

export function bodiesOf({ folded, html, refused }: MailMaterial) {
  const named = refused.slice(0, mostRefused).map(({ name, why }) => `${truncate(name, 80)} (${why})`);
  const more = refused.length > mostRefused ? ` and ${refused.length - mostRefused} more` : '';
  const note = refused.length === 0 ? '' : `\n\n[Not accepted: ${named.join(', ')}${more}]`;
  return {
    body: `${folded.body || '(no text)'}${note}`,
    html,
    wholeBody: folded.foldedAway || folded.isCut ? truncate(folded.whole, 200_000) : null,
  };
}

/** The mail is filed in any case; what does not fit is named in its text. */
export function withRoom(tx: Tx, site: Site, ticket: Ticket | null, material: MailMaterial): MailMaterial {
  let count = maxAttachmentsPerTicket - (ticket === null ? 0 : countAttachments(tx, ticket.id));
  let bytes = roomOfSite(tx, site);
  const files: StoredFile[] = [];
  const refused = [...material.refused];
  for (const file of material.files) {
    const why = count <= 0 ? 'the ticket is full' : file.size > bytes ? "the site's space for files is full" : null;
    if (why === null) {
      files.push(file);
      count -= 1;
      bytes -= file.size;
    } else if (file.isUnsaid !== true) refused.push({ name: file.filename, why });
  }
  return { ...material, files, refused };
}

export function keepFiles(tx: Tx, ctx: Context, ticket: Ticket, message: Message, files: readonly StoredFile[]): void {
  for (const file of files) attachReceived(tx, ctx, ticketById(tx, ticket.id) ?? ticket, file, message);
}

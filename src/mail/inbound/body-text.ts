// The text of a message whose only text is labelled as a file.

import type { Attachment } from 'mailparser';
import { calendarText } from './calendar-text.ts';
import { decodeText } from './charset.ts';
import { mailLimits } from './limits.ts';
import { cleanText, type InboundAttachment } from './message.ts';

/** Uses a part that is labelled as a file when the message has no other text. */
export function wordsFrom(
  body: { text: string | null; html: string | null },
  parsed: readonly Attachment[],
  attachments: InboundAttachment[],
): { text: string | null; html: string | null } {
  if ((body.text ?? '').trim() !== '' || body.html !== null) return body;
  const index = parsed.findIndex(
    (each) =>
      each.contentType === 'text/calendar' ||
      (!each.filename && /^text\/(plain|html|enriched|richtext|markdown)$/.test(each.contentType)),
  );
  const attachment = parsed[index];
  const bytes = attachments[index]?.bytes;
  if (attachment === undefined || bytes === undefined || bytes.length > mailLimits.textBytes) return body;
  const charset = /charset="?([\w.:-]+)/i.exec(attachment.headers.get('content-type')?.toString() ?? '')?.[1];
  const words = cleanText(
    decodeText(bytes, charset ?? 'utf-8', false) ?? decodeText(bytes, 'windows-1252', false) ?? '',
  );
  if (attachment.contentType === 'text/calendar') return { text: calendarText(words), html: null };
  attachments.splice(index, 1);
  return attachment.contentType === 'text/html' ? { text: body.text, html: words } : { text: words, html: null };
}

// The message that every provider's request becomes, and its content hash.

import { createHash } from 'node:crypto';
import type { ProviderName } from '../../domain/mail/inbound.ts';
import { cleanLine as oneLine } from '../../domain/text.ts';

export type MailAddress = { name: string; address: string };

export type InboundAttachment = {
  filename: string;
  contentType: string;
  bytes: Uint8Array;
  cid: string | null;
  isInline: boolean;
  /** A mail whose words are shown with the words of the mail that it came in. */
  isShown?: boolean;
};

/** 'fail' only for a proven forgery, 'pass' only for a proven sender. */
type SenderVerdict = 'pass' | 'fail' | 'none';

export type EmbeddedMessage = {
  from: MailAddress | null;
  to: MailAddress[];
  subject: string;
  date: string | null;
  text: string | null;
  html: string | null;
};

export type InboundMessage = {
  provider: ProviderName;
  /** 'fields': the provider split the message and the original is lost. */
  rawKind: 'mime' | 'fields';
  messageId: string | null;
  inReplyTo: string | null;
  references: string[];
  from: MailAddress | null;
  /** A known trick: one sender is shown, another proven. What is cut from the headers may name another one. */
  hasSeveralFrom: boolean;
  hasCutHeaders?: boolean;
  replyTo: MailAddress | null;
  /** All that Reply-To names. Like `originalFrom` only a claim: anyone can write there what they like. */
  repliesTo: MailAddress[];
  /** Whom a mail was from before a group put itself into From. */
  originalFrom: MailAddress[];
  to: MailAddress[];
  cc: MailAddress[];
  deliveredTo: string[];
  /** From the SMTP dialogue, never from what the sender wrote. `from` is empty for the empty return path, null when unknown. */
  envelope: { from: string | null; to: string[] };
  subject: string;
  date: string | null;
  headers: Record<string, string[]>;
  text: string | null;
  html: string | null;
  order: 'alternatives' | 'text_then_html' | 'html_then_text';
  /** A body exceeded its limit; the whole of it is an attachment. */
  isCut: boolean;
  embedded: EmbeddedMessage[];
  attachments: InboundAttachment[];
  size: number;
  /** SHA-256 of what the sender wrote, without delivery headers such as Received. */
  contentHash: string;
  spamScore: number | null;
  verdict: SenderVerdict;
  /** What failed of a forgery; claimed: by a header that anyone can write, of mail that the desk could not check. */
  forgedBy: { checks: 'DMARC' | 'SPF+DKIM'; isClaimed: boolean } | null;
};

export type ReadMessage = Omit<InboundMessage, 'text' | 'html' | 'embedded' | 'attachments'> & {
  attachments: Pick<InboundAttachment, 'filename' | 'isInline'>[];
};

type Hashed = Pick<InboundMessage, 'from' | 'subject' | 'text' | 'html' | 'attachments'> & { dateHeader: string };

/** Equal for two deliveries of one message, different for two messages with one Message-ID. */
export function contentHash(message: Hashed): string {
  const hash = createHash('sha256');
  const head = [
    message.from?.address ?? '',
    message.dateHeader,
    message.subject,
    message.text ?? '',
    message.html ?? '',
  ];
  hash.update(JSON.stringify(head));
  for (const attachment of message.attachments) {
    hash.update(JSON.stringify([attachment.filename, attachment.contentType, attachment.bytes.byteLength]));
    hash.update(attachment.bytes);
  }
  return hash.digest('hex');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const unwanted = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Safe for SQLite, JSON and browsers: no control characters, no half surrogate pairs. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(unwanted, '');
}

export const cleanLine = (text: string): string => oneLine(cleanText(text));

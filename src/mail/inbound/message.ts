// The one shape of a message behind every provider, and its content hash.

import { createHash } from 'node:crypto';
import type { ProviderName } from '../../domain/inbound.ts';

/** An address as written (not lower-cased); `name` is '' where there is none. */
export type MailAddress = { name: string; address: string };

export type InboundAttachment = {
  filename: string;
  contentType: string;
  bytes: Uint8Array;
  /** Content-ID without its angle brackets. */
  cid: string | null;
  /** Shown within the text (by cid or Content-Disposition: inline) rather than beside it. */
  isInline: boolean;
};

/** What the provider says about the sender: only a proven forgery is 'fail', only a proven sender is 'pass'. */
export type SenderVerdict = 'pass' | 'fail' | 'none';

/** A message that came within this one as a file (forwarded as an attachment). */
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
  /** 'mime': read from the raw message. 'fields': the provider took it apart and the original is gone. */
  rawKind: 'mime' | 'fields';
  /** With angle brackets, as the header has it; null where the sender set none. */
  messageId: string | null;
  inReplyTo: string | null;
  references: string[];
  from: MailAddress | null;
  /** More than one From header or address: a known way to show one sender and prove another. */
  hasSeveralFrom: boolean;
  replyTo: MailAddress | null;
  to: MailAddress[];
  cc: MailAddress[];
  /** Delivered-To, X-Original-To and Envelope-To, addresses only. */
  deliveredTo: string[];
  /** What the SMTP dialogue said: from is '' for the empty return path and null where nobody told. */
  envelope: { from: string | null; to: string[] };
  subject: string;
  /** The Date header as ISO 8601 in UTC, null where it is absent or no date. */
  date: string | null;
  /** Lower-case name to values, topmost first, unfolded. */
  headers: Record<string, string[]>;
  text: string | null;
  /** As it came: sanitise before it is shown. */
  html: string | null;
  /** How text and html relate where both are there. */
  order: 'alternatives' | 'text_then_html' | 'html_then_text';
  /** A text or HTML part was longer than what is read of it; the whole of it is among the attachments. */
  isCut: boolean;
  embedded: EmbeddedMessage[];
  attachments: InboundAttachment[];
  /** Bytes of the raw message, or of the request where there is none. */
  size: number;
  /** SHA-256 over what the sender wrote, without what each delivery adds (Received, Delivered-To and so on). */
  contentHash: string;
  spamScore: number | null;
  verdict: SenderVerdict;
};

/** A message once it has been read: what is decided by it, without the bodies and the bytes. */
export type ReadMessage = Omit<InboundMessage, 'text' | 'html' | 'embedded' | 'attachments'> & {
  attachments: Pick<InboundAttachment, 'filename' | 'isInline'>[];
};

type Hashed = Pick<InboundMessage, 'from' | 'subject' | 'text' | 'html' | 'attachments'> & { dateHeader: string };

/** Equal for two deliveries of one message, different for two messages that reuse a Message-ID. */
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

/** Text that SQLite, JSON and a browser all take: no NUL or other control characters, no half surrogate pairs. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(unwanted, '');
}

/** One line of it: header values, file names. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/[\r\n\t]+/g, ' ')
    .trim();
}

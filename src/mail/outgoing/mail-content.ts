// What the desk's mails are made of: the frame that all have, and the content of each kind.

import type { Deadline } from '../../domain/deadline.ts';
import type { Locale } from '../../domain/preferences.ts';

export interface Mailbox {
  name: string;
  address: string;
}

export interface MailAttachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

/** Where the recipient reads the ticket. `isOpen`: people who have it can answer without a code. */
export interface CustomerLink {
  url: string;
  isOpen: boolean;
}

export interface MailFrame {
  /** `color`: the brand's, in mails to customers. */
  site: { name: string; color: string | null };
  /** The language of mails to customers. Agents get English. */
  locale: Locale;
  from: Mailbox;
  to: Mailbox;
  /** The recipient's own; null for agents, and when the site gives customers no links. */
  link: CustomerLink | null;
  ticket: { ulid: string; reference: string; subject: string } | null;
  /** Null when the desk takes no mail; then there is no Reply-To. */
  inboundDomain: string | null;
  /** Written to a header, so that a desk ignores its own mail but not another desk's. */
  deskId: string;
  messageId: string;
  inReplyTo: string | null;
  references: readonly string[];
  at: number;
}

export type CustomerMail =
  /** `isProven`: the application vouches for the author, so the subject can be repeated. */
  | { kind: 'acknowledgement' | 'form_receipt' | 'ticket_resolved'; isProven: boolean }
  | { kind: 'customer_link' }
  | { kind: 'customer_code'; code: string }
  | {
      kind: 'agent_reply';
      agentName: string | null;
      /** As plain text. */
      body: string;
      /** Of what was written in Markdown, safe; null for plain text. */
      html: string | null;
      attachments: readonly MailAttachment[];
      answered: { authorName: string | null; body: string; at: number } | null;
    };

export type MailContent =
  | CustomerMail
  | { kind: 'assigned'; by: string | null; url: string; authorName: string | null; body: string }
  | {
      kind: 'assigned_together';
      by: string | null;
      tickets: readonly { reference: string; subject: string; url: string }[];
      url: string;
    }
  | { kind: 'customer_replied'; url: string; authorName: string | null; body: string }
  | { kind: 'sla_warning' | 'sla_breached'; url: string; deadline: Deadline }
  | { kind: 'channel_disabled'; channelName: string; reason: string; command: string; url: string }
  | { kind: 'invitation'; by: string | null; url: string }
  | { kind: 'password_reset'; url: string }
  | { kind: 'forward'; subject: string; attachments: readonly MailAttachment[] };

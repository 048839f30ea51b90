// Every mail that the desk sends: headers that keep threads and stop loops, and the words (docs/spec/behaviour.md#outbound-mail).

import { isAddress } from '../../domain/address.ts';
import { type Deadline, deadlineInWords, momentInWords } from '../../domain/deadline.ts';
import { invalid } from '../../domain/errors.ts';
import { fit, oneLine } from '../../domain/plain-text.ts';
import { type Letter, letterAsHtml, letterAsText, named, type Part } from './text-and-html.ts';

interface Mailbox {
  name: string;
  address: string;
}

export interface MailAttachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

/** What every mail has, whatever it says. */
export interface MailFrame {
  site: { name: string };
  /** The site's sender. */
  from: Mailbox;
  to: Mailbox;
  /** Null for mail about the desk itself. */
  ticket: { ulid: string; reference: string; subject: string } | null;
  /** Where replies arrive; null when the desk takes no mail, and then there is no Reply-To. */
  inboundDomain: string | null;
  /** Names this desk in its own header, so that it ignores its own mail but not another desk's. */
  deskId: string;
  /** The desk's own, `<…@…>`, the same over all tries. */
  messageId: string;
  /** As they came with the mail: what is no message id is left out. */
  inReplyTo: string | null;
  references: readonly string[];
  /** Epoch milliseconds. */
  at: number;
}

export type MailContent =
  /** `isProven`: the application vouches for the author, so the subject is their own and may be repeated. */
  | { kind: 'acknowledgement' | 'ticket_resolved'; isProven: boolean }
  | {
      kind: 'agent_reply';
      agentName: string | null;
      body: string;
      attachments: readonly MailAttachment[];
      /** The customer's message that is answered, shown below the reply. */
      answered: { authorName: string | null; body: string; at: number } | null;
    }
  | { kind: 'assigned'; by: string | null; url: string; authorName: string | null; body: string }
  | { kind: 'customer_replied'; url: string; authorName: string | null; body: string }
  | { kind: 'sla_warning' | 'sla_breached'; url: string; deadline: Deadline }
  | { kind: 'channel_disabled'; channelName: string; reason: string; command: string; url: string }
  | { kind: 'forward'; subject: string; attachments: readonly MailAttachment[] };

/** A message as nodemailer takes it. */
export interface ComposedMail {
  from: Mailbox;
  to: Mailbox;
  replyTo?: Mailbox;
  envelope: { from: string; to: string[] };
  subject: string;
  messageId: string;
  inReplyTo?: string;
  references?: string[];
  date: Date;
  headers: Record<string, string>;
  text: string;
  html: string;
  attachments: { filename: string; contentType: string; content: Buffer; contentDisposition: 'attachment' }[];
}

export const deskHeader = 'X-Helpdesk-Desk';

/** Throws a DeskError `invalid` when one of the addresses is not exactly one address. */
export function composeMail(frame: MailFrame, content: MailContent): ComposedMail {
  const from = mailbox('from', frame.from);
  const to = mailbox('to', frame.to);
  const inReplyTo = frame.inReplyTo === null ? undefined : messageIds([frame.inReplyTo])[0];
  const references = messageIds(inReplyTo === undefined ? frame.references : [...frame.references, inReplyTo]);
  const [messageId] = messageIds([frame.messageId]);
  if (messageId === undefined) throw invalid('messageId', 'is not a message id');
  const letter = letterOf(frame, content);
  return {
    from,
    to,
    ...(frame.ticket && frame.inboundDomain
      ? {
          replyTo: mailbox('replyTo', {
            name: frame.site.name,
            address: ticketAddress(frame.ticket.ulid, frame.inboundDomain),
          }),
        }
      : {}),
    envelope: { from: from.address, to: [to.address] },
    subject: subjectOf(frame, content),
    messageId,
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    ...(references.length === 0 ? {} : { references }),
    date: new Date(frame.at),
    headers: {
      [deskHeader]: oneLine(frame.deskId),
      // Exchange answers mail by Auto-Submitted only in part; this header it does heed.
      ...(content.kind === 'agent_reply'
        ? {}
        : { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' }),
    },
    text: letterAsText(letter),
    html: letterAsHtml(letter),
    attachments: content.kind === 'agent_reply' || content.kind === 'forward' ? content.attachments.map(attached) : [],
  };
}

/** Where replies to a ticket's mail arrive (docs/spec/behaviour.md#outbound-mail). */
function ticketAddress(ulid: string, inboundDomain: string): string {
  return `ticket+${ulid}@${inboundDomain}`;
}

function mailbox(field: string, { name, address }: Mailbox): Mailbox {
  // One address and nothing that a header or an SMTP command could read as more than that.
  if (!isAddress(address)) throw invalid(field, 'is not an e-mail address');
  return { name: fit(oneLine(name), 100), address: address.trim() };
}

/** The message ids among `texts`, each once, in their order: the first, which began the thread, and the newest. */
function messageIds(texts: readonly string[]): string[] {
  const ids = [...new Set(texts.map((text) => text.trim()).filter((text) => /^<[!-;=?-~]{1,250}>$/.test(text)))];
  return ids.length <= 20 ? ids : [ids[0]!, ...ids.slice(-19)];
}

function attached({ filename, contentType, content }: MailAttachment) {
  return {
    filename: fit(oneLine(filename).replace(/[/\\]/g, '_'), 200) || 'attachment',
    contentType: /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : 'application/octet-stream',
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    contentDisposition: 'attachment' as const,
  };
}

const replyMark = /^(?:\[#\d+\]|(?:re|aw|antw|sv|vs|ref|odp)(?:\[\d+\])?\s*:)\s*/i;

/**
 * `[#41] Re: Cannot save` however often the subject has been answered: mail programs take off both marks when they
 * compare subjects (RFC 5256, 2.1), so that a thread stays one.
 */
export function threadSubject(reference: string, subject: string, mark = ''): string {
  let base = oneLine(subject);
  while (replyMark.test(base)) base = base.replace(replyMark, '');
  return fit(`[${reference}] ${mark}${base || '(no subject)'}`, 300);
}

function subjectOf({ ticket, inReplyTo, site }: MailFrame, content: MailContent): string {
  if (content.kind === 'channel_disabled') {
    return fit(`Channel disabled: ${oneLine(content.channelName)} (${oneLine(site.name)})`, 300);
  }
  if (content.kind === 'forward') return fit(`Fwd: ${oneLine(content.subject)}`, 300);
  if (!ticket) throw invalid('ticket', 'is missing');
  // Anybody can open a ticket in somebody else's name: the desk does not carry their words to a stranger by itself.
  if (content.kind === 'acknowledgement' && !content.isProven)
    return `[${ticket.reference}] We have received your message`;
  if (content.kind === 'ticket_resolved' && !content.isProven)
    return `[${ticket.reference}] Your request has been resolved`;
  const marks = {
    acknowledgement: inReplyTo === null ? '' : 'Re: ',
    agent_reply: 'Re: ',
    ticket_resolved: 'Re: ',
    assigned: 'Assigned to you: ',
    customer_replied: 'Customer replied: ',
    sla_warning: 'SLA warning: ',
    sla_breached: 'SLA breached: ',
  };
  return threadSubject(ticket.reference, ticket.subject, marks[content.kind]);
}

function letterOf(frame: MailFrame, content: MailContent): Letter {
  const reference = frame.ticket?.reference ?? '';
  const site = named(frame.site.name, 'the support desk');
  const canReply = frame.inboundDomain !== null;
  const sentence = (text: string): Part => ({ kind: 'sentence', text });
  const toCustomer = canReply ? `${site} · ${reference} · To answer, reply to this mail.` : `${site} · ${reference}`;
  const toAgent = `${site} · Sent by Helpdesk because this ticket concerns you.`;
  const about = frame.ticket ? `${reference} ${oneLine(frame.ticket.subject)}` : '';

  switch (content.kind) {
    // Nothing that the customer wrote is repeated here, for the same reason as in the subject.
    case 'acknowledgement':
      return {
        parts: [
          sentence(`We have received your message. Its number is ${reference}.`),
          sentence('Somebody will look at it and answer you by mail.'),
          ...(canReply ? [sentence('If you have something to add, just reply to this mail.')] : []),
        ],
        footer: toCustomer,
      };
    case 'agent_reply':
      return {
        parts: [
          { kind: 'words', text: content.body },
          ...(content.agentName === null ? [] : [sentence(`${named(content.agentName, site)}, ${site}`)]),
          ...(content.answered === null
            ? []
            : [
                {
                  kind: 'quote' as const,
                  introduction: `On ${momentInWords(content.answered.at)}, ${named(content.answered.authorName, 'you')} wrote:`,
                  text: content.answered.body,
                },
              ]),
        ],
        footer: toCustomer,
      };
    case 'ticket_resolved':
      return {
        parts: [
          sentence(`Your request ${reference} has been marked as resolved.`),
          ...(canReply ? [sentence('If it is not, reply to this mail and it will be opened again.')] : []),
        ],
        footer: toCustomer,
      };
    case 'assigned':
      return {
        parts: [
          sentence(`${named(content.by, 'The desk')} has assigned this ticket to you.`),
          sentence(about),
          customersWords(content),
          { kind: 'link', label: `Open ${reference}`, url: content.url },
        ],
        footer: toAgent,
      };
    case 'customer_replied':
      return {
        parts: [customersWords(content), { kind: 'link', label: `Open ${reference}`, url: content.url }],
        footer: toAgent,
      };
    case 'sla_warning':
    case 'sla_breached':
      return {
        parts: [
          sentence(about),
          sentence(deadlineInWords(content.deadline)),
          { kind: 'link', label: `Open ${reference}`, url: content.url },
        ],
        footer: toAgent,
      };
    case 'channel_disabled':
      return {
        parts: [
          sentence(`The channel ${named(content.channelName, 'without a name')} of ${site} has been disabled.`),
          { kind: 'quote', introduction: 'Why:', text: content.reason },
          sentence('What happens meanwhile is held for 7 days and sent, in order, once you enable the channel again.'),
          sentence(`When its receiver works again: ${content.command}`),
          { kind: 'link', label: 'The channel in the API', url: content.url },
        ],
        footer: `${site} · Sent by Helpdesk to the desk's owners.`,
      };
    case 'forward':
      return {
        parts: [sentence(`A rule of ${site} forwards this mail; it is attached as it came.`)],
        footer: `${site} · Forwarded by Helpdesk.`,
      };
  }
}

function customersWords({ authorName, body }: { authorName: string | null; body: string }): Part {
  return { kind: 'quote', introduction: `${named(authorName, 'The customer')} wrote:`, text: body };
}

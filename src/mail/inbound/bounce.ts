// Recognises bounces and reads what was not delivered, to whom and why.
import { canonicalAddress, isAddress } from '../../domain/mail/address.ts';
import { mailHeader } from '../../domain/mail/desk-headers.ts';
import { bareAddresses } from './addresses.ts';
import { isoDate, messageIds } from './header-values.ts';
import type { InboundAttachment, InboundMessage } from './message.ts';

type FailedRecipient = {
  address: string;
  status: string | null;
  diagnostic: string | null;
  action: 'failed' | 'delayed' | 'other';
};

export type Bounce = {
  reason: string;
  originalMessageId: string | null;
  /** Null unless the headers that came back are of this desk's mail. */
  returned: ReturnedMail | null;
  recipients: FailedRecipient[];
  isFinal: boolean;
};

/** What a mail that came back says of itself: some servers, such as Amazon SES, give all mail a Message-ID of their own. */
type ReturnedMail = {
  /** As the desk gave it; null in mail of earlier versions. */
  messageId: string | null;
  replyTo: string[];
  /** The mails before it in its thread. */
  references: string[];
  to: string[];
  date: string | null;
};

const daemon = /^(mailer-daemon|mail-daemon|mailerdaemon|mdaemon|mail\.delivery\.system)@/i;
const bounceSubjects =
  /^(undeliver|returned mail|mail delivery (failed|failure|subsystem|status)|delivery (status notification|failure|has failed|delayed)|failure notice|mail system error|warning: (could not send|message .{1,80} delayed)|undelivered mail|unzustellbar|non remis|no se puede entregar|mancata consegna|onbestelbaar|niet te bezorgen|nie można dostarczyć|nedoručitelné|退信)/i;

/** That the desk adds to all its mail. */
type OwnHeader = { header: string; headerValue: string };

export function bounceOf(message: InboundMessage, own: OwnHeader): Bounce | null {
  const reason = sign(message);
  if (reason === null) return null;
  const statuses = message.attachments
    .filter((each) => /^message\/(global-)?delivery-status$/i.test(each.contentType))
    .flatMap((each) => readStatus(each));
  const words = (message.text ?? '').slice(0, 100_000);
  const returned = returnedTexts(message);
  const recipients = statuses.length > 0 ? statuses : recipientsIn(message, words);
  const isDelayed = recipients.length > 0 && recipients.every((each) => each.action !== 'failed');
  const isWarning = recipients.length === 0 && /^(warning|delivery delayed)/i.test(message.subject);
  return {
    reason,
    originalMessageId: originalId(message, words, returned),
    returned: returnedMail(words, returned, own),
    recipients: recipients.slice(0, 100),
    isFinal: !isDelayed && !isWarning,
  };
}

function sign(message: InboundMessage): string | null {
  const contentType = (message.headers['content-type']?.[0] ?? '').toLowerCase();
  const isReport = contentType.startsWith('multipart/report');
  if (isReport && /report-type="?(disposition-notification|feedback-report)/.test(contentType)) return null;
  const hasStatus = message.attachments.some((each) => /delivery-status$/i.test(each.contentType));
  const sender = message.from?.address ?? '';
  const isDaemon =
    daemon.test(sender) || (/^postmaster@/i.test(sender) && (isReport || bounceSubjects.test(message.subject)));
  const hasEmptyPath = message.envelope.from === '';
  // A server that forwards mail puts a return path of its own in place of the empty one (SRS); a person has their own.
  const isOfPerson = !hasEmptyPath && message.envelope.from?.toLowerCase() === sender.toLowerCase();
  if (isReport && !isOfPerson && (hasStatus || /delivery-status/.test(contentType))) {
    return hasEmptyPath ? 'It is a delivery report with an empty return path.' : 'It is a delivery report.';
  }
  if (isReport && hasEmptyPath) return 'It is a report with an empty return path.';
  if (isDaemon) return `It comes from ${sender}.`;
  if (message.headers['x-failed-recipients'] !== undefined && hasEmptyPath) return 'It names failed recipients.';
  return null;
}

/** The first block is about the message; each other block is about one recipient. */
function readStatus(attachment: InboundAttachment): FailedRecipient[] {
  const text = Buffer.from(attachment.bytes.subarray(0, 100_000)).toString('utf8').replaceAll('\r\n', '\n');
  const out: FailedRecipient[] = [];
  for (const block of text.split(/\n[ \t]*\n/).slice(0, 200)) {
    const fields = fieldsOf(block);
    const recipient =
      addressIn(fields.get('original-recipient') ?? '') ?? addressIn(fields.get('final-recipient') ?? '');
    if (recipient === null) continue;
    const action = (fields.get('action') ?? 'failed').toLowerCase().trim();
    out.push({
      address: recipient,
      status: /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0] ?? null,
      diagnostic:
        fields
          .get('diagnostic-code')
          ?.replace(/^\s*[\w-]{1,20}\s*;\s*/, '')
          .trim()
          .slice(0, 500) || null,
      action: action.startsWith('failed') ? 'failed' : action.startsWith('delayed') ? 'delayed' : 'other',
    });
  }
  return out;
}

function fieldsOf(block: string, mostLines = 100): Map<string, string> {
  const fields = new Map<string, string>();
  let last = '';
  for (const line of block.split('\n').slice(0, mostLines)) {
    const colon = line.indexOf(':');
    if (/^[ \t]/.test(line) && last !== '') fields.set(last, `${fields.get(last)} ${line.trim()}`);
    else if (colon > 0) {
      last = line.slice(0, colon).trim().toLowerCase();
      fields.set(last, line.slice(colon + 1).trim());
    }
  }
  return fields;
}

function addressIn(value: string): string | null {
  const bare = value
    .slice(value.indexOf(';') + 1)
    .replace(/[<>"]/g, '')
    .trim();
  return canonicalAddress(bare);
}

/** Servers without reports name recipients in a header (Exim, Gmail) or in the text (qmail, Postfix). */
function recipientsIn(message: InboundMessage, words: string): FailedRecipient[] {
  const named = (message.headers['x-failed-recipients'] ?? [])
    .flatMap((value) => value.split(/[\s,]+/))
    .filter(isAddress);
  const written =
    named.length > 0
      ? named
      : [...words.slice(0, 20_000).matchAll(/^\s{0,8}<([^<>\s@]{1,64}@[^<>\s@]{1,255})>/gm)].map((match) => match[1]!);
  const status = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(words)?.[0] ?? null;
  const diagnostic = /^.{0,200}\b5\d\d[ -].{0,300}/m.exec(words)?.[0].trim() ?? null;
  const unique = [...new Set(written.map((each) => each.toLowerCase()))];
  return unique.map((address) => ({ address, status, diagnostic, action: 'failed' as const }));
}

function originalId(message: InboundMessage, words: string, returned: readonly string[]): string | null {
  for (const text of returned) {
    const found = messageIdIn(text);
    if (found !== null) return found;
  }
  return messageIdIn(words) ?? message.inReplyTo ?? message.references.at(-1) ?? null;
}

function messageIdIn(text: string): string | null {
  return /^[> \t]{0,10}message-id[ \t]{0,5}:\s{0,5}(<[^<>\s]{1,500}>)/im.exec(text)?.[1] ?? null;
}

/** The mail that came back, or only its headers. */
function returnedTexts({ attachments }: InboundMessage): string[] {
  const isReturned = /^(message\/(rfc822|global|global-headers|partial)|text\/rfc822-headers)$/i;
  return attachments
    .filter(({ contentType }) => isReturned.test(contentType))
    .slice(0, 20)
    .map(({ bytes }) => Buffer.from(bytes.subarray(0, 100_000)).toString('latin1'));
}

/** Each server on the way adds headers, long signatures among them. */
const mostReturnedLines = 1000;

function returnedMail(words: string, returned: readonly string[], own: OwnHeader): ReturnedMail | null {
  const heads = returned.map((text) => text.trimStart().split(/\r?\n\r?\n/, 1)[0]!);
  // Servers without reports write the headers below their own words.
  heads.push(...words.split(/\r?\n[ \t]*\r?\n/));
  for (const head of heads.filter((each) => each.includes(own.headerValue))) {
    const fields = fieldsOf(head.replaceAll('\r\n', '\n'), mostReturnedLines);
    if (fields.get(own.header) !== own.headerValue) continue;
    const valuesOf = (name: string) => [fields.get(name) ?? ''];
    return {
      messageId: messageIds(valuesOf(mailHeader))[0] ?? null,
      replyTo: bareAddresses(valuesOf('reply-to')),
      references: messageIds([...valuesOf('references'), ...valuesOf('in-reply-to')]),
      to: bareAddresses(valuesOf('to')),
      date: isoDate(fields.get('date')),
    };
  }
  return null;
}

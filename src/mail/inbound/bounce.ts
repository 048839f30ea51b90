// Recognises bounces and reads what was not delivered, to whom and why.
import { canonicalAddress, isAddress } from '../../domain/mail/address.ts';
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
  recipients: FailedRecipient[];
  isFinal: boolean;
};

const daemon = /^(mailer-daemon|mail-daemon|mailerdaemon|mdaemon|mail\.delivery\.system)@/i;
const bounceSubjects =
  /^(undeliver|returned mail|mail delivery (failed|failure|subsystem|status)|delivery (status notification|failure|has failed|delayed)|failure notice|mail system error|warning: (could not send|message .{1,80} delayed)|undelivered mail|unzustellbar|non remis|no se puede entregar|mancata consegna|onbestelbaar|niet te bezorgen|nie można dostarczyć|nedoručitelné|退信)/i;

export function bounceOf(message: InboundMessage): Bounce | null {
  const reason = sign(message);
  if (reason === null) return null;
  const statuses = message.attachments
    .filter((each) => /^message\/(global-)?delivery-status$/i.test(each.contentType))
    .flatMap((each) => readStatus(each));
  const words = (message.text ?? '').slice(0, 100_000);
  const recipients = statuses.length > 0 ? statuses : recipientsIn(message, words);
  const isDelayed = recipients.length > 0 && recipients.every((each) => each.action !== 'failed');
  const isWarning = recipients.length === 0 && /^(warning|delivery delayed)/i.test(message.subject);
  return {
    reason,
    originalMessageId: originalId(message, words),
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
  if (
    isReport &&
    (hasEmptyPath || message.envelope.from === null) &&
    (hasStatus || /delivery-status/.test(contentType))
  ) {
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

function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  let last = '';
  for (const line of block.split('\n').slice(0, 100)) {
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

function originalId(message: InboundMessage, words: string): string | null {
  for (const attachment of message.attachments) {
    if (!/^(message\/(rfc822|global|global-headers|partial)|text\/rfc822-headers)$/i.test(attachment.contentType))
      continue;
    const found = messageIdIn(Buffer.from(attachment.bytes.subarray(0, 100_000)).toString('latin1'));
    if (found !== null) return found;
  }
  return messageIdIn(words) ?? message.inReplyTo ?? message.references.at(-1) ?? null;
}

function messageIdIn(text: string): string | null {
  return /^[> \t]{0,10}message-id[ \t]{0,5}:\s{0,5}(<[^<>\s]{1,500}>)/im.exec(text)?.[1] ?? null;
}

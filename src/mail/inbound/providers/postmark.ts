// Postmark's inbound webhook: JSON with the parts of a message, and RawEmail when the server includes it.
import { isAddress } from '../../../domain/mail/address.ts';
import { bareAddresses, domainOf } from '../addresses.ts';
import { type Check, proofOf, spamScoreOf, trustedResults } from '../authentication.ts';
import { fromFields } from '../fields.ts';
import { type JsonObject, object, objects, optionalText, parseJsonObject, text } from '../json.ts';
import { cleanLine, type InboundAttachment, type InboundMessage } from '../message.ts';
import { parseMail } from '../parse.ts';
import type { InboundRequest } from '../providers.ts';
import { decodeBase64 } from '../transfer-encoding.ts';

export async function readPostmark(request: InboundRequest): Promise<InboundMessage> {
  const body = parseJsonObject(request.body);
  const headers = objects(body, 'Headers').map((each) => [text(each, 'Name'), text(each, 'Value')] as const);
  const recipient = bareAddresses([text(body, 'OriginalRecipient')]);
  const raw = text(body, 'RawEmail');
  const returnPath = headers.find(([name]) => name.toLowerCase() === 'return-path')?.[1];
  const envelope = { from: returnPath === undefined ? null : (bareAddresses([returnPath])[0] ?? ''), to: recipient };
  const message =
    raw === ''
      ? await fromFields({
          provider: 'postmark',
          headers,
          otherwise: [
            ['From', written(object(body, 'FromFull')) || text(body, 'From')],
            ['To', objects(body, 'ToFull').map(written).join(', ') || text(body, 'To')],
            ['Cc', objects(body, 'CcFull').map(written).join(', ') || text(body, 'Cc')],
            ['Reply-To', text(body, 'ReplyTo')],
            ['Subject', text(body, 'Subject')],
            ['Date', text(body, 'Date')],
            // Postmark's MessageID is its own UUID.
          ],
          text: optionalText(body, 'TextBody'),
          html: optionalText(body, 'HtmlBody'),
          attachments: objects(body, 'Attachments').map(attachmentOf),
          envelope,
          size: request.body.byteLength,
        })
      : await parseMail(Buffer.from(raw, 'utf8'), { provider: 'postmark', envelope });
  const values = (name: string) => headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
  message.spamScore = spamScoreOf({
    headers: { 'x-spam-score': values('x-spam-score'), 'x-spam-status': values('x-spam-status') },
  });
  Object.assign(
    message,
    proofOf(message, [
      ...checksOf(message, values('x-spam-tests')[0] ?? '', values('received-spf')[0] ?? ''),
      ...(trustedResults(message) ?? []),
    ]),
  );
  return message;
}

export function rawInPostmark({ body }: InboundRequest): Buffer | null {
  const raw = text(parseJsonObject(body), 'RawEmail');
  return raw === '' ? null : Buffer.from(raw, 'utf8');
}

/** Postmark reports SpamAssassin test names and Received-SPF; DKIM_VALID_AU is a signature of the From domain. */
function checksOf(message: InboundMessage, tests: string, receivedSpf: string): Check[] {
  const names = new Set(tests.split(/[,\s]+/));
  const domain = domainOf(message.from?.address ?? '');
  const checks: Check[] = [];
  if (names.has('DKIM_VALID_AU')) checks.push({ method: 'dkim', result: 'pass', domain, policy: null });
  else if (names.has('DKIM_INVALID')) checks.push({ method: 'dkim', result: 'fail', domain: null, policy: null });
  if (names.has('KAM_DMARC_REJECT') || names.has('DMARC_FAIL_REJECT'))
    checks.push({ method: 'dmarc', result: 'fail', domain, policy: null });
  const spf = /^\s*([a-z]+)/i.exec(receivedSpf)?.[1]?.toLowerCase();
  const checked = message.envelope.from === null ? null : domainOf(message.envelope.from);
  if (spf !== undefined) checks.push({ method: 'spf', result: spf, domain: checked, policy: null });
  return checks;
}

function written(person: JsonObject): string {
  const email = text(person, 'Email').trim();
  const name = cleanLine(text(person, 'Name')).replace(/["\\]/g, '');
  if (!isAddress(email)) return '';
  return name === '' ? email : `"${name}" <${email}>`;
}

function attachmentOf(each: JsonObject): InboundAttachment {
  const cid = text(each, 'ContentID').replace(/^<|>$/g, '') || null;
  return {
    filename: cleanLine(text(each, 'Name')) || 'attachment',
    contentType: cleanLine(text(each, 'ContentType')).split(';')[0] || 'application/octet-stream',
    bytes: decodeBase64(Buffer.from(text(each, 'Content'), 'latin1')),
    cid,
    isInline: cid !== null,
  };
}

// Mailgun's route forward: a form with the parts of a message, or with body-mime for URLs that end in /mime.
import { bareAddresses, domainOf } from '../addresses.ts';
import { type Check, proofOf, spamScoreOf, trustedResults } from '../authentication.ts';
import { fromFields } from '../fields.ts';
import { type Form, readForm } from '../form.ts';
import { isObject } from '../json.ts';
import { malformed } from '../limits.ts';
import { cleanLine, type InboundAttachment, type InboundMessage } from '../message.ts';
import { parseMail } from '../parse.ts';
import type { InboundRequest } from '../providers.ts';

export async function readMailgun(request: InboundRequest): Promise<InboundMessage> {
  const form = await readForm(request.headers['content-type'] ?? '', request.body);
  const mime = form.bytes('body-mime');
  if (mime === null && form.value('sender') === null && form.value('from') === null) {
    throw malformed('The form has neither body-mime nor sender: it does not come from a Mailgun route.');
  }
  const sender = form.value('sender');
  const envelope = {
    from: sender === null ? null : (bareAddresses([sender])[0] ?? ''),
    to: bareAddresses([form.value('recipient') ?? '']),
  };
  const message =
    mime === null
      ? await fromFields({
          provider: 'mailgun',
          headers: headersIn(form),
          otherwise: [
            ['From', form.value('from') ?? sender ?? ''],
            ['To', form.value('To') ?? form.value('recipient') ?? ''],
            ['Cc', form.value('Cc') ?? ''],
            ['Subject', form.value('subject') ?? ''],
            ['Date', form.value('Date') ?? ''],
            ['Message-Id', form.value('Message-Id') ?? ''],
            ['In-Reply-To', form.value('In-Reply-To') ?? ''],
            ['References', form.value('References') ?? ''],
          ],
          text: form.value('body-plain'),
          html: form.values('body-html').join('\n') || null,
          attachments: attachmentsIn(form),
          envelope,
          size: request.body.byteLength,
        })
      : await parseMail(mime, { provider: 'mailgun', envelope });
  message.spamScore = spamScoreOf(message);
  const resultIn = (name: string) => (message.headers[name]?.[0] ?? form.value(name))?.toLowerCase();
  const checks: Check[] = [];
  const spf = resultIn('x-mailgun-spf');
  if (spf !== undefined)
    checks.push({ method: 'spf', result: spf, domain: domainOf(envelope.from ?? ''), policy: null });
  // Mailgun does not name the signer, so a valid signature proves no sender.
  const dkim = resultIn('x-mailgun-dkim-check-result');
  if (dkim !== undefined) checks.push({ method: 'dkim', result: dkim, domain: null, policy: null });
  Object.assign(message, proofOf(message, [...checks, ...(trustedResults(message) ?? [])]));
  return message;
}

export async function rawInMailgun({ headers, body }: InboundRequest): Promise<Uint8Array | null> {
  return (await readForm(headers['content-type'] ?? '', body)).bytes('body-mime');
}

function headersIn(form: Form): [string, string][] {
  try {
    const pairs: unknown = JSON.parse(form.value('message-headers') ?? '[]');
    if (!Array.isArray(pairs)) return [];
    return pairs.filter(isPair).map(([name, value]) => [name, value]);
  } catch {
    return [];
  }
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string';
}

/** content-id-map is {"<cid>": "attachment-1"}. */
function attachmentsIn(form: Form): InboundAttachment[] {
  const cids = new Map<string, string>();
  try {
    const map: unknown = JSON.parse(form.value('content-id-map') ?? '{}');
    if (isObject(map))
      for (const [cid, field] of Object.entries(map)) cids.set(String(field), cid.replace(/^<|>$/g, ''));
  } catch {
    // Without the map, images stay attachments.
  }
  return form.files.map((file) => ({
    filename: cleanLine(file.filename) || 'attachment',
    contentType: file.contentType || 'application/octet-stream',
    bytes: file.bytes,
    cid: cids.get(file.field) ?? null,
    isInline: cids.has(file.field),
  }));
}

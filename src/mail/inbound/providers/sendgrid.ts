// SendGrid's Inbound Parse: a form with the parts of a message, or with the raw message in `email`.
import { bareAddresses, domainOf } from '../addresses.ts';
import { type Check, proofOf, scoreIn } from '../authentication.ts';
import { fromFields } from '../fields.ts';
import { type Form, readForm } from '../form.ts';
import { isObject, type JsonObject, object, optionalText, text, texts } from '../json.ts';
import { malformed } from '../limits.ts';
import { cleanLine, type InboundAttachment, type InboundMessage } from '../message.ts';
import { parseMail } from '../parse.ts';
import type { InboundRequest } from '../providers.ts';

export async function readSendgrid(request: InboundRequest): Promise<InboundMessage> {
  const form = await readForm(request.headers['content-type'] ?? '', request.body);
  const raw = form.bytes('email');
  if (raw === null && form.value('headers') === null && form.value('from') === null) {
    throw malformed('The form has neither email nor headers: it does not come from SendGrid.');
  }
  const told = jsonField(form, 'envelope');
  const envelope = { from: optionalText(told, 'from'), to: bareAddresses(texts(told, 'to')) };
  const charsets = jsonField(form, 'charsets');
  const value = (name: string) => form.value(name, optionalText(charsets, name) ?? undefined);
  const message =
    raw === null
      ? await fromFields({
          provider: 'sendgrid',
          headers: form.value('headers') ?? '',
          otherwise: [
            ['From', value('from') ?? ''],
            ['To', value('to') ?? ''],
            ['Cc', value('cc') ?? ''],
            ['Subject', value('subject') ?? ''],
          ],
          text: value('text'),
          html: value('html'),
          attachments: attachmentsIn(form),
          envelope,
          size: request.body.byteLength,
        })
      : await parseMail(raw, { provider: 'sendgrid', envelope });
  message.spamScore = scoreIn(form.value('spam_score'));
  Object.assign(message, proofOf(message, checksIn(form, envelope.from)));
  return message;
}

export async function rawInSendgrid({ headers, body }: InboundRequest): Promise<Uint8Array | null> {
  return (await readForm(headers['content-type'] ?? '', body)).bytes('email');
}

/** dkim is "{@example.com : pass}" or "none"; several are joined by commas. */
function checksIn(form: Form, envelopeFrom: string | null): Check[] {
  const checks: Check[] = [];
  for (const match of (form.value('dkim') ?? '')
    .slice(0, 10_000)
    .matchAll(/@?([\w.-]{1,255})\s{0,5}:\s{0,5}(\w{1,20})/g)) {
    checks.push({ method: 'dkim', result: match[2]!.toLowerCase(), domain: match[1]!.toLowerCase(), policy: null });
  }
  const spf = form.value('SPF')?.trim().toLowerCase();
  if (spf !== undefined && spf !== '')
    checks.push({ method: 'spf', result: spf, domain: domainOf(envelopeFrom ?? ''), policy: null });
  return checks;
}

/** attachment-info describes each file by its field name; content-ids maps a cid to a field name. */
function attachmentsIn(form: Form): InboundAttachment[] {
  const info = jsonField(form, 'attachment-info');
  const cids = new Map(Object.entries(jsonField(form, 'content-ids')).map(([cid, field]) => [String(field), cid]));
  return form.files.map((file) => {
    const about = object(info, file.field);
    const cid = (text(about, 'content-id') || cids.get(file.field) || '').replace(/^<|>$/g, '') || null;
    return {
      filename: cleanLine(text(about, 'filename') || file.filename) || 'attachment',
      contentType: text(about, 'type') || file.contentType || 'application/octet-stream',
      bytes: file.bytes,
      cid,
      isInline: cid !== null,
    };
  });
}

function jsonField(form: Form, name: string): JsonObject {
  try {
    const value: unknown = JSON.parse(form.value(name) ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

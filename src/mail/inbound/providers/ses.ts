// Amazon SES through SNS: checks the signature, then reads the subscription or the raw message.
import { bareAddresses } from '../addresses.ts';
import { type Check, proofOf, trustedResults } from '../authentication.ts';
import { type JsonObject, object, parseJsonObject, text, texts } from '../json.ts';
import { MailRefusal, malformed } from '../limits.ts';
import { parseMail } from '../parse.ts';
import type { InboundDelivery, InboundRequest, ReadOptions } from '../providers.ts';
import { isSnsHost, isSoundSnsSignature } from './sns-signature.ts';

export async function readSns(request: InboundRequest, options: ReadOptions): Promise<InboundDelivery> {
  const envelope = parseJsonObject(request.body);
  const type = text(envelope, 'Type');
  const topicArn = text(envelope, 'TopicArn');
  if (type === '' || topicArn === '')
    throw malformed('The request is not an SNS message. Turn raw message delivery off.');
  // Before the certificate is fetched, so that an unknown topic costs no request.
  if (!(options.allowedTopicArns ?? []).includes(topicArn)) {
    throw new MailRefusal(
      'forbidden',
      'provider_topic_not_allowed',
      'This site does not accept mail from this SNS topic.',
    );
  }
  if (options.fetchCertificate === undefined || !(await isSoundSnsSignature(envelope, options.fetchCertificate))) {
    throw new MailRefusal('forbidden', 'provider_signature_invalid', 'The signature of the SNS message is not valid.');
  }
  if (type === 'SubscriptionConfirmation') return subscription(envelope, topicArn);
  if (type !== 'Notification') return { kind: 'ignored', reason: `SNS sent ${type}.` };
  return notification(envelope);
}

function subscription(envelope: JsonObject, topicArn: string): InboundDelivery {
  const subscribeUrl = text(envelope, 'SubscribeURL');
  if (!isSnsHost(subscribeUrl))
    throw new MailRefusal('forbidden', 'provider_signature_invalid', 'The SubscribeURL is not an SNS address.');
  return { kind: 'subscription', topicArn, subscribeUrl };
}

async function notification(envelope: JsonObject): Promise<InboundDelivery> {
  if (!text(envelope, 'Message').trimStart().startsWith('{'))
    return { kind: 'ignored', reason: 'SNS sent a notice that is not mail.' };
  const notice = parseJsonObject(text(envelope, 'Message'));
  const kind = text(notice, 'notificationType');
  if (kind !== 'Received') return { kind: 'ignored', reason: `SES sent a notice of kind ${kind || 'unknown'}.` };
  const receipt = object(notice, 'receipt');
  const raw = rawInNotice(notice, receipt);
  if (raw === null) {
    throw new MailRefusal(
      'unsupported',
      'provider_content_missing',
      'The notification has no message. The SES rule must publish to SNS directly, not after an S3 action.',
    );
  }
  const mail = object(notice, 'mail');
  const source = text(mail, 'source').replace(/[<>]/g, '').trim();
  const message = await parseMail(raw, {
    provider: 'ses',
    envelope: {
      from: 'source' in mail ? source : null,
      // Not mail.destination, which is everyone in To and Cc.
      to: bareAddresses(texts(receipt, 'recipients')),
    },
  });
  const spam = text(object(receipt, 'spamVerdict'), 'status');
  // SES has no score; these values make one rule work for every provider.
  message.spamScore = spam === 'FAIL' ? 10 : spam === 'PASS' ? 0 : null;
  Object.assign(message, proofOf(message, [...checksOf(receipt), ...(trustedResults(message) ?? [])]));
  return { kind: 'message', message };
}

export function rawInSns({ body }: InboundRequest): Buffer | null {
  const notice = parseJsonObject(text(parseJsonObject(body), 'Message'));
  return rawInNotice(notice, object(notice, 'receipt'));
}

/** Null when SES stored the message in S3 instead. */
function rawInNotice(notice: JsonObject, receipt: JsonObject): Buffer | null {
  const content = text(notice, 'content');
  if (content === '') return null;
  const encoding = text(object(receipt, 'action'), 'encoding').toUpperCase();
  return Buffer.from(content, encoding === 'BASE64' ? 'base64' : 'utf8');
}

function checksOf(receipt: JsonObject): Check[] {
  const policy = text(receipt, 'dmarcPolicy').toLowerCase() || null;
  return (['dmarc', 'dkim', 'spf'] as const).flatMap((method) => {
    const result = text(object(receipt, `${method}Verdict`), 'status').toLowerCase();
    return result === '' ? [] : [{ method, result, domain: null, policy }];
  });
}

// Verifies SNS signatures, versions 1 (SHA-1) and 2 (SHA-256), with certificates from Amazon only.
import { verify, X509Certificate } from 'node:crypto';
import { DeskError } from '../../../domain/errors.ts';
import { type JsonObject, text } from '../json.ts';

const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const;

export async function isSoundSnsSignature(
  envelope: JsonObject,
  fetchCertificate: (url: string) => Promise<string>,
): Promise<boolean> {
  const signed = stringToSign(envelope);
  const url = text(envelope, 'SigningCertURL');
  const version = text(envelope, 'SignatureVersion');
  if (signed === null || !isCertificateUrl(url) || (version !== '1' && version !== '2')) return false;
  const pem = await fetchCertificate(url).catch(() => {
    throw new DeskError('unavailable', 'The SNS certificate could not be fetched.', { retryAfterSeconds: 60 });
  });
  try {
    const certificate = new X509Certificate(pem);
    const signature = Buffer.from(text(envelope, 'Signature'), 'base64');
    return verify(version === '1' ? 'sha1' : 'sha256', Buffer.from(signed), certificate.publicKey, signature);
  } catch {
    return false;
  }
}

export function stringToSign(envelope: JsonObject): string | null {
  const type = text(envelope, 'Type');
  if (!Object.hasOwn(signedFields, type)) return null;
  const names = signedFields[type as keyof typeof signedFields];
  return names
    .filter((name) => typeof envelope[name] === 'string')
    .map((name) => `${name}\n${text(envelope, name)}\n`)
    .join('');
}

export function isSnsHost(url: string): boolean {
  const parsed = URL.parse(url);
  if (
    parsed === null ||
    parsed.protocol !== 'https:' ||
    parsed.port !== '' ||
    parsed.username !== '' ||
    parsed.password !== ''
  )
    return false;
  return /^sns\.[a-z0-9-]{3,40}\.amazonaws\.com(\.cn)?$/.test(parsed.hostname);
}

function isCertificateUrl(url: string): boolean {
  return isSnsHost(url) && /^https:\/\/[^/]+\/SimpleNotificationService-[\w-]{1,200}\.pem$/.test(url);
}

// SES through SNS: signatures of both versions, the one allowed topic, and certificates from Amazon only.
import { describe, expect, test } from 'bun:test';
import { sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MailRefusal } from '../../src/mail/inbound/limits.ts';
import { isSnsHost, stringToSign } from '../../src/mail/inbound/providers/sns-signature.ts';
import { readInbound } from '../../src/mail/inbound/providers.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dir, 'fixtures', name), 'utf8');
const key = fixture('sns-test-key.pem');
const certificate = fixture('sns-test-certificate.pem');
const topic = 'arn:aws:sns:eu-west-1:123456789012:inbound-mail';
const certificateUrl = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem';

const notice = (more: object = {}, receipt: object = {}) =>
  JSON.stringify({
    notificationType: 'Received',
    mail: {
      timestamp: '2026-09-08T13:14:00.000Z',
      source: 'jo@example.com',
      messageId: 'o3vrnil0e2ic28tr',
      destination: ['ticket+01j@in.desk.example', 'someone-in-cc@example.org'],
      headersTruncated: false,
      headers: [],
    },
    receipt: {
      timestamp: '2026-09-08T13:14:00.000Z',
      processingTimeMillis: 222,
      recipients: ['ticket+01j@in.desk.example'],
      spamVerdict: { status: 'PASS' },
      virusVerdict: { status: 'PASS' },
      spfVerdict: { status: 'PASS' },
      dkimVerdict: { status: 'PASS' },
      dmarcVerdict: { status: 'PASS' },
      action: { type: 'SNS', topicArn: topic, encoding: 'UTF8' },
      ...receipt,
    },
    content: 'From: Jo <jo@example.com>\r\nSubject: Printer\r\n\r\nStill broken – sorry.\r\n',
    ...more,
  });

function envelope(fields: Record<string, string>, version: '1' | '2' = '2') {
  const body: Record<string, string> = {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: topic,
    Subject: 'Amazon SES Email Receipt Notification',
    Timestamp: '2026-09-08T13:14:01.000Z',
    SignatureVersion: version,
    SigningCertURL: certificateUrl,
    UnsubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=Unsubscribe',
    ...fields,
  };
  body.Signature ??= sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(stringToSign(body) ?? ''), key).toString(
    'base64',
  );
  return body;
}

const fetched: string[] = [];
const options = {
  allowedTopicArns: [topic],
  fetchCertificate: async (url: string) => {
    fetched.push(url);
    return certificate;
  },
};
const read = (body: unknown, more = options) =>
  readInbound(
    'ses',
    { headers: { 'content-type': 'text/plain; charset=UTF-8' }, body: Buffer.from(JSON.stringify(body)) },
    more,
  );
const reasonOf = (body: unknown, more = options) =>
  read(body, more).then(
    () => 'taken',
    (error: unknown) => (error instanceof MailRefusal ? error.reason : 'untyped'),
  );

describe('a notification', () => {
  test.each(['1', '2'] as const)('signed with version %s is the message', async (version) => {
    const delivery = await read(envelope({ Message: notice() }, version));
    expect(delivery).toMatchObject({
      kind: 'message',
      message: {
        provider: 'ses',
        subject: 'Printer',
        text: 'Still broken – sorry.\n',
        verdict: 'pass',
        spamScore: 0,
        envelope: { from: 'jo@example.com', to: ['ticket+01j@in.desk.example'] },
      },
    });
  });

  test('with content in base64', async () => {
    const content = Buffer.from('Subject: Grüße\r\n\r\nhi').toString('base64');
    const delivery = await read(
      envelope({ Message: notice({ content }, { action: { type: 'SNS', encoding: 'BASE64' } }) }),
    );
    expect(delivery).toMatchObject({ kind: 'message', message: { subject: 'Grüße' } });
  });

  test('whose sender failed DMARC is forged, unless the domain minds nothing', async () => {
    const verdict = async (receipt: object) => {
      const delivery = await read(envelope({ Message: notice({}, receipt) }));
      return delivery.kind === 'message' ? delivery.message.verdict : null;
    };
    expect(await verdict({ dmarcVerdict: { status: 'FAIL' }, dmarcPolicy: 'reject' })).toBe('fail');
    expect(await verdict({ dmarcVerdict: { status: 'FAIL' }, dmarcPolicy: 'none' })).toBe('none');
    expect(await verdict({ dmarcVerdict: { status: 'GRAY' }, spfVerdict: { status: 'FAIL' } })).toBe('none');
  });

  test('without the message says what to change', async () => {
    expect(await reasonOf(envelope({ Message: notice({ content: undefined }) }))).toBe('provider_content_missing');
  });

  test('that is no mail is ignored', async () => {
    expect(await read(envelope({ Message: 'Successfully validated SNS topic' }))).toMatchObject({ kind: 'ignored' });
    expect(await read(envelope({ Message: '{"notificationType":"Bounce"}' }))).toMatchObject({ kind: 'ignored' });
  });
});

describe('a subscription', () => {
  const confirmation = (url: string, more: Record<string, string> = {}) =>
    envelope({
      Type: 'SubscriptionConfirmation',
      Token: 'abc',
      Message: 'You have chosen to subscribe',
      SubscribeURL: url,
      ...more,
    });
  const url = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=abc`;

  test('of the allowed topic asks for its address to be fetched', async () => {
    expect(await read(confirmation(url))).toEqual({ kind: 'subscription', topicArn: topic, subscribeUrl: url });
  });

  test('of any other topic is refused before a certificate is fetched', async () => {
    fetched.length = 0;
    expect(await reasonOf(confirmation(url, { TopicArn: 'arn:aws:sns:eu-west-1:666:theirs' }))).toBe(
      'provider_topic_not_allowed',
    );
    expect(await reasonOf(confirmation(url), { ...options, allowedTopicArns: [] })).toBe('provider_topic_not_allowed');
    expect(fetched).toEqual([]);
  });

  test('that leads elsewhere is refused', async () => {
    expect(await reasonOf(confirmation('https://169.254.169.254/latest'))).toBe('provider_signature_invalid');
  });
});

test('a certificate that cannot be fetched just now proves nothing: it is to be tried again', async () => {
  const down = { ...options, fetchCertificate: () => Promise.reject(new Error('down')) };
  const error = await read(envelope({ Message: notice() }), down).catch((error: unknown) => error);
  expect(error).toMatchObject({ code: 'unavailable' });
  expect(error).not.toBeInstanceOf(MailRefusal);
});

describe('a forgery', () => {
  test('changed after it was signed, unsigned, or of an unknown version', async () => {
    const sound = envelope({ Message: notice() });
    expect(await reasonOf({ ...sound, Message: notice({ content: 'From: boss@example.com\r\n\r\npay' }) })).toBe(
      'provider_signature_invalid',
    );
    expect(await reasonOf({ ...sound, Signature: '' })).toBe('provider_signature_invalid');
    expect(await reasonOf({ ...sound, SignatureVersion: '3' })).toBe('provider_signature_invalid');
    expect(await reasonOf({ ...sound, SignatureVersion: '1' })).toBe('provider_signature_invalid');
    expect(await reasonOf(sound, { ...options, fetchCertificate: async () => 'no certificate' })).toBe(
      'provider_signature_invalid',
    );
  });

  test.each([
    'https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-1.pem',
    'https://evil.example/sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem',
    'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-1.pem',
    'https://a@sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.eu-west-1.amazonaws.com/other.pem',
    'https://sns.eu-west-1.amazonaws.com/?x=/SimpleNotificationService-1.pem',
    'https://s3.amazonaws.com/SimpleNotificationService-1.pem',
    'file:///etc/passwd',
    '',
  ])('with a certificate at %p is refused without a request', async (SigningCertURL) => {
    fetched.length = 0;
    expect(await reasonOf(envelope({ Message: notice(), SigningCertURL }))).toBe('provider_signature_invalid');
    expect(fetched).toEqual([]);
  });

  test('China has a domain of its own', () => {
    expect(isSnsHost('https://sns.cn-north-1.amazonaws.com.cn/x')).toBe(true);
    expect(isSnsHost('https://sns.cn-north-1.amazonaws.com.tw/x')).toBe(false);
  });
});

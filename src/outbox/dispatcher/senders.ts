// Sends one delivery: a signed or chat webhook through the guarded client, or a mail with its attachments.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '../../base/clock.ts';
import { randomBelow, randomSecret } from '../../base/crypto.ts';
import type { Desk } from '../../desk/desk.ts';
import type { DeliveryMaterial } from '../../desk/outbox/content.ts';
import { type AttemptResult, judgeMailAttempt, judgeWebhookAttempt, type MailAttempt } from '../../domain/delivery.ts';
import { DeskError } from '../../domain/errors.ts';
import { providerOf } from '../../domain/inbound.ts';
import type { Blobs } from '../../files/blobs.ts';
import type { MailAttachment } from '../../mail/outgoing/mail-content.ts';
import { type Guard, guardedFetch } from '../../net/guarded-fetch.ts';
import { mailBudget } from '../../reader/jobs.ts';
import type { Reader } from '../../reader/reader.ts';
import type { Delivery } from '../../store/outbox.ts';
import { type MailSettings, mailOf, notificationOf } from '../delivery-content.ts';
import type { MailTransport } from '../mail-transport.ts';
import { formatNotification } from '../platforms/formats.ts';
import { chatHeaders, webhookHeaders } from '../webhook-signature.ts';

export interface SenderOptions {
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  reader: Reader;
  guard: Guard;
  transport: MailTransport;
  mail: MailSettings;
  retryDelaysMs: readonly number[];
}

export interface Sent {
  result: (now: Instant) => AttemptResult;
  responseStatus: number | null;
  responseExcerpt: string;
  error: string | null;
}

const random = () => randomBelow(1_000_000) / 1_000_000;

export function createSenders({
  desk,
  blobs,
  mailBlobs,
  reader,
  guard,
  transport,
  mail,
  retryDelaysMs,
}: SenderOptions) {
  async function sendWebhook(material: DeliveryMaterial): Promise<Sent> {
    const { channel, webhookUrl, delivery } = material;
    if (channel === null || webhookUrl === null)
      throw new DeskError('not_found', 'The channel of this delivery no longer exists.');
    const body = formatNotification(channel.type, notificationOf(material, mail.baseUrl));
    const headers =
      channel.type === 'custom'
        ? webhookHeaders(
            { event: delivery.event, deliveryId: delivery.ulid, body, at: desk.now() },
            material.signingSecrets,
            channel.headerPrefix,
          )
        : chatHeaders();
    const answer = await guardedFetch({ method: 'POST', url: webhookUrl, headers, body }, guard);
    return {
      result: (now) =>
        judgeWebhookAttempt(answer.ended, {
          attemptNumber: delivery.tries + 1,
          now,
          random: random(),
          retryDelaysMs: delivery.event === 'channel.test' ? [] : retryDelaysMs,
        }),
      responseStatus: answer.ended.kind === 'answered' ? answer.ended.status : null,
      responseExcerpt: answer.excerpt,
      error: answer.error,
    };
  }

  /** Null when the desk gave up before the mail server took any of it. */
  async function sendMail(material: DeliveryMaterial): Promise<Sent | null> {
    const sent = await transport.send(await mailOf(material, mail, await attachmentsOf(material)));
    if (sent === null) return null;
    return {
      result: (now) => mailResult(material.delivery, sent.ended, now),
      responseStatus: sent.ended.kind === 'rejected' ? sent.ended.code : null,
      responseExcerpt: sent.response ?? '',
      error: sent.error,
    };
  }

  async function attachmentsOf({ attachments, forwarded }: DeliveryMaterial): Promise<MailAttachment[]> {
    const read: MailAttachment[] = [];
    for (const { ulid, filename, contentType } of attachments) {
      const size = await blobs.size(ulid);
      if (size === null) throw new DeskError('not_found', `The attachment ${filename} is missing.`);
      read.push({
        filename,
        contentType,
        content: Buffer.from(await new Response(blobs.read(ulid, 0, size - 1)).arrayBuffer()),
      });
    }
    if (forwarded)
      read.push({ filename: 'original.eml', contentType: 'message/rfc822', content: await originalOf(forwarded) });
    return read;
  }

  async function originalOf(mail: NonNullable<DeliveryMaterial['forwarded']>): Promise<Buffer> {
    const { ulid, headers } = mail;
    const stored = await mailBlobs.local(ulid);
    if (stored === null) throw new DeskError('not_found', 'The original of this mail no longer exists.');
    const target = join(mailBlobs.staging, randomSecret('part'));
    try {
      const input = { provider: providerOf(mail), headers, path: stored.path, target };
      await reader.run('original message', input, { budget: mailBudget, isLarge: true });
      return await readFile(target);
    } finally {
      await rm(target, { force: true });
      await stored.release();
    }
  }

  return (material: DeliveryMaterial): Promise<Sent | null> =>
    material.delivery.channelId === null ? sendMail(material) : sendWebhook(material);
}

/** A disk error while attachments are read is retried, like a mail server's. Any other fault would only repeat. */
export function notComposed(material: DeliveryMaterial | null, error: unknown): Sent {
  const isSystemError =
    error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code);
  return {
    result: (now) =>
      isSystemError && material
        ? mailResult(material.delivery, { kind: 'unreachable' }, now)
        : { outcome: 'failed', isGone: false },
    responseStatus: null,
    responseExcerpt: '',
    error: error instanceof DeskError ? error.message : 'The message could not be composed.',
  };
}

function mailResult({ tries, firstTriedAt }: Delivery, ended: MailAttempt, now: Instant): AttemptResult {
  return judgeMailAttempt(ended, {
    attemptNumber: tries + 1,
    firstTriedAt: firstTriedAt ?? now,
    now,
    random: random(),
  });
}

// Sends one delivery: a signed or chat webhook or a push through the guarded client, or a mail with its attachments.

import type { Instant } from '../../base/clock.ts';
import { randomBelow } from '../../base/crypto.ts';
import type { Desk } from '../../desk/desk.ts';
import type { DeliveryMaterial } from '../../desk/outbox/content.ts';
import type { Answer } from '../../desk/outbox/reply-mails.ts';
import type { MailedReport } from '../../desk/reports/mailed-reports.ts';
import { conflict, DeskError } from '../../domain/errors.ts';
import { minuteMs } from '../../domain/instant.ts';
import {
  type AttemptResult,
  judgeMailAttempt,
  judgePushAttempt,
  judgeWebhookAttempt,
  type MailAttempt,
} from '../../domain/outbox/delivery.ts';
import { requireNoneInfected } from '../../domain/tickets/files.ts';
import type { Blobs } from '../../files/blobs.ts';
import { inOnePiece, type Scanner } from '../../files/clamav.ts';
import type { MailAttachment, ReportNumbers } from '../../mail/outgoing/mail-content.ts';
import { type Guard, guardedFetch } from '../../net/guarded-fetch.ts';
import type { Reader } from '../../reader/reader.ts';
import { storedOriginal } from '../../reader/stored-original.ts';
import type { Delivery } from '../../store/outbox/outbox.ts';
import { bodyOfWebhook, type MailSettings, mailOf } from '../delivery-content.ts';
import type { MailTransport } from '../mail-transport.ts';
import { pushRequest } from '../push-content.ts';
import { chatHeaders, webhookHeaders } from '../webhook-signature.ts';

export interface SenderOptions {
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  reader: Reader;
  /** For what is sent on as it came. */
  scanner: Scanner | null;
  guard: Guard;
  transport: MailTransport;
  mail: MailSettings;
  /** The numbers of a report that is mailed. */
  readReport: (report: MailedReport) => Promise<ReportNumbers>;
  retryDelaysMs: readonly number[];
}

export interface Sent {
  result: (now: Instant) => AttemptResult;
  responseStatus: number | null;
  responseExcerpt: string;
  error: string | null;
  answers?: readonly Answer[];
}

const shortestPauseMs = 2000;
const longestPauseMs = 10 * minuteMs;

const random = () => randomBelow(1_000_000) / 1_000_000;

export function createSenders({
  desk,
  blobs,
  mailBlobs,
  reader,
  scanner,
  guard,
  transport,
  mail,
  readReport,
  retryDelaysMs,
}: SenderOptions) {
  async function sendWebhook(material: DeliveryMaterial): Promise<Sent> {
    const { channel, webhookUrl, delivery } = material;
    if (channel === null || webhookUrl === null)
      throw new DeskError('not_found', 'The channel of this delivery no longer exists.');
    const body = bodyOfWebhook({ ...material, channel }, mail.baseUrl);
    const headers =
      channel.type === 'custom'
        ? webhookHeaders(
            { event: delivery.event, deliveryId: delivery.ulid, body, at: desk.now() },
            material.signingSecrets,
            channel.headerPrefix,
          )
        : chatHeaders();
    return request(material, { url: webhookUrl, headers, body }, judgeWebhookAttempt);
  }

  async function request(
    { delivery }: DeliveryMaterial,
    to: { url: string; headers: Record<string, string>; body: string | Uint8Array },
    judge: typeof judgeWebhookAttempt,
  ): Promise<Sent> {
    const answer = await guardedFetch({ method: 'POST', ...to }, guard);
    return {
      result: (now) =>
        judge(answer.ended, {
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
  async function sendMail(loaded: DeliveryMaterial): Promise<Sent | null> {
    const isRouted = mail.hasServer || loaded.through !== null;
    const { material, from } = isRouted ? { material: loaded, from: mail.from } : throughOther(loaded, mail.from);
    const files = await attachmentsOf(material);
    if (files === null) return notChecked(material.delivery);
    const numbers = material.report && (await readReport(material.report));
    const composed = await mailOf(material, { ...mail, from }, files, numbers);
    const sent = await transport.send(composed, material.through);
    if (sent === null) return null;
    return {
      result: (now) => mailResult(material.delivery, sent.ended, now),
      responseStatus: sent.ended.kind === 'rejected' ? sent.ended.code : null,
      responseExcerpt: sent.response ?? '',
      error: sent.error,
      ...(sent.answers ? { answers: sent.answers } : {}),
    };
  }

  /** Null while one of them waits to be checked for viruses. */
  async function attachmentsOf({ attachments, forwarded, site }: DeliveryMaterial): Promise<MailAttachment[] | null> {
    if (attachments.some(({ scanStatus }) => scanStatus === 'waiting')) return null;
    requireNoneInfected(attachments);
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
    if (forwarded) {
      const content = await storedOriginal(reader, mailBlobs, forwarded, false);
      const verdict = await scanner?.scan(inOnePiece(content));
      if (verdict?.kind === 'infected')
        throw conflict(`The original of this mail is infected: ${verdict.found}.`, 'attachment_infected');
      const isJudged = verdict === undefined || verdict.kind === 'clean';
      if (!isJudged && site?.settings.attachment_scan !== 'deliver_with_mark') return null;
      read.push({ filename: 'original.eml', contentType: 'message/rfc822', content });
    }
    return read;
  }

  return async (material: DeliveryMaterial): Promise<Sent | null> => {
    if (material.push !== null)
      return await request(material, pushRequest(material, material.push, mail.baseUrl, desk), judgePushAttempt);
    return await (material.delivery.channelId === null ? sendMail(material) : sendWebhook(material));
  };
}

/** Where the environment names no server: the one that an owner has set takes it, or else a mailbox that may. */
function throughOther(material: DeliveryMaterial, from: string): { material: DeliveryMaterial; from: string } {
  const { ownServer, otherMailbox, sender } = material;
  if (ownServer !== null) return { material: { ...material, through: ownServer }, from: ownServer.address };
  if (otherMailbox === null) return { material, from };
  const { address } = otherMailbox;
  return { material: { ...material, through: otherMailbox, sender: sender && { ...sender, address } }, from: address };
}

/** It is tried again as long as its files wait, with growing pauses. */
function notChecked({ createdAt }: Delivery): Sent {
  const pauseMs = (now: Instant) => Math.min(Math.max(now - createdAt, shortestPauseMs), longestPauseMs);
  return {
    result: (now) => ({ outcome: 'retry', at: now + pauseMs(now) }),
    responseStatus: null,
    responseExcerpt: '',
    error: 'Its files are being checked for viruses.',
  };
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

// The way of a mail that arrives: into the ledger, through the parser, and filed; begun anew where a crash cut it short.

import { newUlid } from './base/ids.ts';
import { errorFields, type Log } from './base/log.ts';
import type { StoredFile } from './desk/attachments.ts';
import type { Desk } from './desk/desk.ts';
import {
  type Filed,
  failMail,
  fileMail,
  type MailMaterial,
  noRelease,
  postponeMail,
  previewMail,
  type Release,
  receiveMail,
  reopenMail,
} from './desk/inbound-mail.ts';
import { readSite } from './desk/sites.ts';
import { DeskError, type FieldErrors } from './domain/errors.ts';
import type { InboundOutcome, ProviderName } from './domain/inbound.ts';
import type { Blobs } from './files/blobs.ts';
import { cleanFilename, maxAttachmentBytes, requireAllowedName, sniffContentType } from './files/sniff.ts';
import { deskHeader } from './mail/compose.ts';
import { requestBytesOf } from './mail/limits.ts';
import type { InboundMessage } from './mail/message.ts';
import { inboundMailById, sentMail, unfiledMail } from './store/inbound.ts';
import { type Site, siteById } from './store/sites.ts';

interface MailroomOptions {
  desk: Desk;
  /** Attachments of tickets. */
  blobs: Blobs;
  /** Requests as they arrived. */
  mailBlobs: Blobs;
  log: Log;
  /** Gets a document from a host that has been checked to be Amazon's. */
  fetchText: (url: string) => Promise<string>;
  /** Told what became of each mail, for the desk's own counts. */
  onFiled?: (outcome: InboundOutcome) => void;
}

export interface Mailroom {
  /** Stores a request, durably, and then files it. Throws only while nothing is stored. */
  receive(
    site: Site,
    provider: ProviderName,
    headers: Record<string, string>,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Filed>;
  /** Files one row of the ledger again, through today's rules; held mail stays held unless it is released. */
  replay(siteName: string | null, id: number, release?: Release): Promise<Filed>;
  /** Files what a crash or a failure left unfiled: `all` of it at start, else what is due; answers how many. */
  recover(which: 'all' | 'due'): Promise<number>;
  /** What would happen to a raw message. */
  preview(siteName: string, raw: Uint8Array): Promise<ReturnType<typeof previewMail>>;
}

/** What became of a message's files, and which is the picture of which cid. */
interface Kept {
  files: StoredFile[];
  refused: string[];
  ulidOfCid: Map<string, string>;
}

/** Of one message; each is synced to the disk before the next. */
const mostFiles = 100;

/** The value of the desk's own header in all that it sends. */
export function deskIdOf(desk: Desk): string {
  return desk.seal.fingerprint('desk', 'id').slice(0, 22);
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

// The parser and what it stands on are loaded with the first mail: a desk that has none starts sooner and stays smaller.
async function loadReaders() {
  const [{ bodyOf }, { classifyMail }, { readInbound }, { sanitiseHtml }] = await Promise.all([
    import('./mail/body.ts'),
    import('./mail/classify.ts'),
    import('./mail/providers.ts'),
    import('./mail/sanitise.ts'),
  ]);
  return { bodyOf, classifyMail, readInbound, sanitiseHtml };
}
type Readers = Awaited<ReturnType<typeof loadReaders>>;

export function createMailroom({ desk, blobs, mailBlobs, log, fetchText, onFiled }: MailroomOptions): Mailroom {
  const context = () => desk.context({ kind: 'operator' }, 'mail');

  async function bytesOf(ulid: string): Promise<Uint8Array> {
    const size = await mailBlobs.size(ulid);
    if (size === null) throw new DeskError('not_found', 'The stored request of this mail is gone.');
    return await new Response(mailBlobs.read(ulid, 0, size - 1)).bytes();
  }

  /** Writes the attachments that are taken to the disk; the others are named. */
  async function keepFiles(message: InboundMessage, whole: string | null): Promise<Kept> {
    const { files, refused, ulidOfCid }: Kept = { files: [], refused: [], ulidOfCid: new Map() };
    const all = message.attachments.map(({ filename, bytes, cid }) => ({ name: filename, bytes, cid }));
    // First, so that no number of files crowds out what was said.
    if (whole !== null) all.unshift({ name: 'message.txt', bytes: new TextEncoder().encode(whole), cid: null });
    for (const [at, { name, bytes, cid }] of all.entries()) {
      const filename = cleanFilename(name ?? '') || 'unnamed';
      if (at >= mostFiles) {
        refused.push(filename);
        continue;
      }
      try {
        if (bytes.length === 0) throw new DeskError('invalid', 'It is empty.');
        requireAllowedName(filename);
        const staged = await blobs.stage(chunksOf(bytes), maxAttachmentBytes);
        try {
          const contentType = await sniffContentType(staged.path, filename);
          const ulid = newUlid(desk.now());
          await staged.keep(ulid);
          files.push({ ulid, filename, contentType, size: staged.size, sha256: staged.sha256 });
          if (cid !== null) ulidOfCid.set(cid, ulid);
        } catch (error) {
          await staged.discard();
          throw error;
        }
      } catch (error) {
        if (!(error instanceof DeskError) || error.code === 'unavailable') throw error;
        refused.push(filename);
      }
    }
    return { files, refused, ulidOfCid };
  }

  function understand(
    { bodyOf, classifyMail }: Readers,
    message: InboundMessage,
  ): Pick<MailMaterial, 'message' | 'classified' | 'folded'> {
    const isOwnMessageId = (messageId: string) => desk.read((tx) => sentMail(tx, messageId) !== undefined);
    const classified = classifyMail(message, {
      header: deskHeader.toLowerCase(),
      headerValue: deskIdOf(desk),
      isOwnMessageId,
    });
    return { message, classified, folded: bodyOf(message) };
  }

  async function materialOf(readers: Readers, message: InboundMessage, isReleased: boolean): Promise<MailMaterial> {
    const understood = understand(readers, message);
    const { classified, folded } = understood;
    const isKept = classified.kind === 'ordinary' || (isReleased && classified.kind === 'automatic');
    const none: Kept = { files: [], refused: [], ulidOfCid: new Map() };
    const { files, refused, ulidOfCid } = isKept ? await keepFiles(message, folded.isCut ? folded.whole : null) : none;
    // The address of a picture is short-lived: it is put in when the message is shown.
    const shown = { cidUrl: () => null, keptAs: (cid: string) => ulidOfCid.get(cid) };
    const html = message.html === null ? null : readers.sanitiseHtml(message.html, shown).html;
    return { ...understood, html, files, refused };
  }

  // Nobody in this process files a message that is being filed.
  const underWay = new Map<number, Promise<Filed>>();

  async function process(id: number, release: Release = noRelease): Promise<Filed> {
    const filing = (underWay.get(id) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => fileOrPostpone(id, release));
    underWay.set(id, filing);
    try {
      const filed = await filing;
      if (filed.row.outcome !== null) onFiled?.(filed.row.outcome);
      return filed;
    } finally {
      if (underWay.get(id) === filing) underWay.delete(id);
    }
  }

  async function fileOrPostpone(id: number, release: Release): Promise<Filed> {
    try {
      return await fileOne(id, release);
    } catch (error) {
      if (error instanceof DeskError && error.code === 'not_found') throw error;
      log.warn({ id, ...errorFields(error) }, 'mail is stored and not filed yet');
      const reason = error instanceof DeskError ? describe(error) : 'It could not be filed; the log has the details.';
      return await desk.write((tx) => postponeMail(tx, context(), id, reason));
    }
  }

  async function fileOne(id: number, release: Release): Promise<Filed> {
    const row = desk.read((tx) => inboundMailById(tx, id) ?? null);
    const site = row && desk.read((tx) => siteById(tx, row.siteId) ?? null);
    if (!row || !site) throw new DeskError('not_found', 'No such mail.');
    let message: InboundMessage | undefined;
    try {
      const body = await bytesOf(row.ulid);
      const readers = await loadReaders();
      const read = await readers.readInbound(
        row.provider,
        { headers: row.headers, body },
        {
          allowedTopicArns: site.settings.ses_topic_arns,
          trustedServers: site.settings.trusted_mail_servers,
          fetchCertificate: fetchText,
        },
      );
      if (read.kind === 'subscription') {
        await fetchText(read.subscribeUrl);
        return await desk.write((tx) =>
          failMail(tx, context(), id, 'discarded', `The subscription to ${read.topicArn} was confirmed.`),
        );
      }
      if (read.kind === 'ignored')
        return await desk.write((tx) => failMail(tx, context(), id, 'discarded', read.reason));
      message = read.message;
      const material = await materialOf(readers, message, release.isReleased);
      return await desk.write((tx) => fileMail(tx, context(), site, id, material, release));
    } catch (error) {
      // Storage or a server that is away now may be back soon: the row stays as received.
      if (error instanceof DeskError && error.code === 'unavailable') throw error;
      if (!(error instanceof DeskError))
        log.error({ mail: row.ulid, ...errorFields(error) }, 'mail could not be filed');
      const reason =
        error instanceof DeskError
          ? describe(error)
          : 'It could not be filed; the log has the details. Replay it after an upgrade.';
      return await desk.write((tx) => failMail(tx, context(), id, 'failed', reason, message));
    }
  }

  return {
    async receive(site, provider, headers, body) {
      const staged = await mailBlobs.stage(body, requestBytesOf(provider)).catch((error: unknown) => {
        throw error instanceof DeskError && error.code === 'too_large' ? tooLarge(provider) : error;
      });
      const ulid = newUlid(desk.now());
      await staged.keep(ulid);
      let id: number;
      try {
        id = await desk.write((tx) => receiveMail(tx, context(), site, { ulid, provider, headers, size: staged.size }));
      } catch (error) {
        await mailBlobs.remove(ulid);
        throw error;
      }
      try {
        return await process(id);
      } catch (error) {
        // It is stored, and the provider must not send it again: it is tried again in some minutes.
        log.warn({ mail: ulid, ...errorFields(error) }, 'mail is stored and not filed yet');
        const row = desk.read((tx) => inboundMailById(tx, id) ?? null);
        if (row === null) throw error;
        return { row, ticket: null };
      }
    },
    async replay(siteName, id, release) {
      await desk.write((tx) => reopenMail(tx, context(), siteName, id));
      return await process(id, release);
    },
    async recover(which) {
      const ids = desk.read((tx) => unfiledMail(tx, which === 'all' ? null : desk.now()));
      let filed = 0;
      for (const id of ids.filter((id) => !underWay.has(id))) {
        try {
          if ((await process(id)).row.status === 'done') filed += 1;
        } catch (error) {
          // One mail that cannot be filed just now holds up neither the others nor the start.
          log.warn({ id, ...errorFields(error) }, 'mail is stored and not filed yet');
        }
      }
      return filed;
    },
    async preview(siteName, raw) {
      const readers = await loadReaders();
      const site = desk.read((tx) => readSite(tx, context(), siteName));
      const trustedServers = site.settings.trusted_mail_servers;
      const read = await readers.readInbound('raw', { headers: {}, body: raw }, { trustedServers });
      if (read.kind !== 'message') throw new DeskError('invalid', 'This is no message.');
      const understood = understand(readers, read.message);
      return desk.read((tx) => previewMail(tx, context(), siteName, understood));
    },
  };
}

function tooLarge(provider: ProviderName): DeskError {
  const megabytes = Math.floor(requestBytesOf(provider) / 1024 / 1024);
  return new DeskError('too_large', `A request with mail may have ${megabytes} MB at most.`, {
    reason: 'message_too_large',
  });
}

/** For the addresses of Amazon that the SES reader has checked. */
export async function fetchFromAmazon(url: string): Promise<string> {
  const away = () => new DeskError('unavailable', 'Amazon did not answer as expected.', { retryAfterSeconds: 60 });
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) });
    if (answer.ok) return (await answer.text()).slice(0, 100_000);
  } catch {
    // No answer is as good as a bad one: the mail is tried again.
  }
  throw away();
}

function describe(error: DeskError): string {
  const fields: FieldErrors = error.errors ?? {};
  return [error.message, ...Object.values(fields).flat()].join(' ');
}

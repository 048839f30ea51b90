// Turns a stored request into material for filing, in the reader process; falls back to less if that costs too much.

import { createReadStream } from 'node:fs';
import { sha256OfStream } from '../base/crypto.ts';
import type { Desk } from '../desk/desk.ts';
import type { MailMaterial } from '../desk/mail/material.ts';
import { namesOf } from '../desk/sites/site-senders.ts';
import type { StoredFile } from '../desk/tickets/attachments.ts';
import { conflict, DeskError, invalid } from '../domain/errors.ts';
import { providerOf } from '../domain/mail/inbound.ts';
import { mailRules } from '../domain/tickets/files.ts';
import type { Blobs } from '../files/blobs.ts';
import type { Classified } from '../mail/inbound/classify.ts';
import type { ReadMessage } from '../mail/inbound/message.ts';
import { deskHeader } from '../mail/outgoing/compose.ts';
import { mailBudget } from '../reader/jobs.ts';
import type { ReadMailInput, ReadMailOutput, StoredInput, Wanted, WrittenFile } from '../reader/read-mail.ts';
import { type Reader, ReaderError } from '../reader/reader.ts';
import type { ShowMailInput, ShowMailOutput } from '../reader/show-mail.ts';
import { type InboundMail, setMailHash } from '../store/mail/inbound.ts';
import { sentMail } from '../store/mail/threads.ts';
import type { Site } from '../store/sites/sites.ts';

/** The value of the header that the desk adds to all its mail. */
export function deskIdOf(desk: Desk): string {
  return desk.seal.fingerprint('desk', 'id').slice(0, 22);
}

type Reading =
  | { kind: 'message'; material: MailMaterial; written: WrittenFile[]; isPlain: boolean }
  | { kind: 'subscription'; topicArn: string; subscribeUrl: string }
  | { kind: 'ignored'; reason: string };

export interface MailReading {
  /** Throws the refusal, or ReaderError if even the cheap way costs too much. */
  read(row: InboundMail, site: Site): Promise<Reading>;
  keep(written: readonly WrittenFile[]): Promise<StoredFile[]>;
  discard(written: readonly WrittenFile[]): Promise<void>;
  /** Of a file, for a dry run. */
  understand(path: string, site: Site): Promise<MailMaterial>;
  /** Of stored mail, for a dry run: its files are not written. */
  understandStored(row: InboundMail, site: Site): Promise<MailMaterial>;
  show(
    row: InboundMail,
    site: Site,
    how: Pick<ShowMailInput, 'hasPictures' | 'file'>,
  ): Promise<Exclude<ShowMailOutput, Wanted>>;
}

interface MailReadingOptions {
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  reader: Reader;
  fetchText: (url: string) => Promise<string>;
}

/** Requests of this size are read one at a time, which bounds memory and leaves a process for other mail. */
export const largeBytes = 256 * 1024;
const mostDocuments = 2;

/** What the desk has asked itself goes before what a header says. */
function scored(material: MailMaterial, { spamCheck }: InboundMail): MailMaterial {
  return {
    ...material,
    message: { ...material.message, spamScore: spamCheck?.score ?? material.message.spamScore },
  };
}

const isWanted = (read: { kind: string }): read is Wanted => read.kind === 'wanted';

/** Only the beginning of the text, if more costs too much. */
async function orPlain<Read>(read: (isPlain: boolean) => Promise<Read>): Promise<{ read: Read; isPlain: boolean }> {
  try {
    return { read: await read(false), isPlain: false };
  } catch (error) {
    if (!(error instanceof ReaderError)) throw error;
    return { read: await read(true), isPlain: true };
  }
}

/** Of mail that came before hashes were kept: from now on it must stay as it was read. */
async function noteHash(desk: Desk, ulid: string, path: string): Promise<void> {
  const sha256 = await sha256OfStream(createReadStream(path));
  await desk.write((tx) => setMailHash(tx, ulid, sha256));
}

export function createMailReading({ desk, blobs, mailBlobs, reader, fetchText }: MailReadingOptions): MailReading {
  const readMail = (input: ReadMailInput, size: number) =>
    withDocuments((documents) =>
      reader.run('read mail', { ...input, documents }, { budget: mailBudget, isLarge: size >= largeBytes }),
    );

  function storedInput(path: string, site: Site): StoredInput {
    return {
      provider: 'raw',
      headers: {},
      path,
      allowedTopicArns: site.settings.ses_topic_arns,
      trustedServers: site.settings.trusted_mail_servers,
      senderChecks: null,
      documents: {},
      fileRules: mailRules(site.settings),
      ownNames: desk.read((tx) => namesOf(tx, site)),
      isPlain: false,
    };
  }

  function inputFor(path: string, site: Site): ReadMailInput {
    return {
      ...storedInput(path, site),
      folder: null,
      own: { header: deskHeader.toLowerCase(), headerValue: deskIdOf(desk) },
      isReleased: false,
      now: desk.now(),
    };
  }

  const kept = (row: InboundMail) => ({
    provider: providerOf(row),
    headers: row.headers,
    senderChecks: row.senderChecks,
  });

  async function withStored<T>(row: InboundMail, act: (path: string) => Promise<T>): Promise<T> {
    const stored = await mailBlobs.local(row.ulid);
    if (stored === null) throw new DeskError('not_found', 'The stored request of this message no longer exists.');
    try {
      return await act(stored.path);
    } finally {
      await stored.release();
    }
  }

  async function withDocuments<Read extends { kind: string }>(
    run: (documents: Record<string, string>) => Promise<Read | Wanted>,
  ): Promise<Read> {
    const documents: Record<string, string> = {};
    for (let fetched = 0; ; fetched += 1) {
      const read = await run(documents);
      if (!isWanted(read)) return read;
      if (fetched >= mostDocuments) throw new Error('a message requires too many documents');
      documents[read.url] = await fetchText(read.url).catch(() => {
        throw new DeskError('unavailable', 'The SNS certificate could not be fetched.', { retryAfterSeconds: 60 });
      });
    }
  }

  /** Only the desk knows which Message-IDs are its own. */
  function judged(message: ReadMessage, classified: Classified): Classified {
    const { messageId } = message;
    if (classified.kind === 'own' || messageId === null) return classified;
    if (!desk.read((tx) => sentMail(tx, messageId) !== undefined)) return classified;
    const reason = `${messageId} is a message from this desk.`;
    return { kind: 'own', reason, isList: classified.isList, mayAcknowledge: false };
  }

  function materialOf(read: Extract<ReadMailOutput, { kind: 'message' }>): MailMaterial {
    // Header names are untrusted, and must not reach properties of every object.
    const headers: ReadMessage['headers'] = Object.assign(Object.create(null), read.message.headers);
    const message = { ...read.message, headers };
    const { folded, aboveLine, html, refused } = read;
    return { message, classified: judged(message, read.classified), folded, aboveLine, html, files: [], refused };
  }

  const readStored = (row: InboundMail, site: Site, path: string, folder: string | null) =>
    orPlain((isPlain) =>
      readMail({ ...inputFor(path, site), ...kept(row), isReleased: row.isReleased, folder, isPlain }, row.size),
    );

  async function discard(written: readonly WrittenFile[]): Promise<void> {
    for (const { path, size, sha256 } of written) await blobs.adopt(path, size, sha256).discard();
  }

  return {
    async read(row, site) {
      return await withStored(row, async (path) => {
        if (row.sha256 === null) await noteHash(desk, row.ulid, path);
        const { read, isPlain } = await readStored(row, site, path, blobs.staging);
        if (read.kind !== 'message') return read;
        return { kind: 'message', material: scored(materialOf(read), row), written: read.files, isPlain };
      });
    },
    async show(row, site, wanted) {
      return await withStored(row, async (path) => {
        const input = { ...storedInput(path, site), ...wanted, ...kept(row) };
        const { read } = await orPlain((isPlain) =>
          withDocuments((documents) =>
            reader.run('show mail', { ...input, isPlain, documents }, { budget: mailBudget, isLarge: true }),
          ),
        );
        return read;
      });
    },
    async keep(written) {
      const kept: StoredFile[] = [];
      for (const { path, ...file } of written) {
        try {
          await blobs.adopt(path, file.size, file.sha256).keep(file.ulid);
        } catch (error) {
          await discard(written);
          throw error;
        }
        kept.push(file);
      }
      return kept;
    },
    discard,
    async understand(path, site) {
      const read = await readMail(inputFor(path, site), 0);
      if (read.kind !== 'message') throw invalid('raw', 'must be a message.');
      return materialOf(read);
    },
    async understandStored(row, site) {
      const { read } = await withStored(row, (path) => readStored(row, site, path, null));
      if (read.kind !== 'message') throw conflict('There is no message in this request.', 'unreadable');
      return scored(materialOf(read), row);
    },
  };
}

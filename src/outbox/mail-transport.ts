// Hands a composed mail to a mail server, or writes it to an .eml file when there is none.

import { closeSync, fsync, mkdirSync, open, renameSync, rmSync, writeFile } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from '../base/sync-folder.ts';
import type { Answer } from '../desk/outbox/reply-mails.ts';
import type { MailAttempt } from '../domain/outbox/delivery.ts';
import { emlName } from '../files/eml-files.ts';
import type { ComposedMail } from '../mail/outgoing/compose.ts';
import { bareHost } from '../net/allow-list.ts';
import { type Resolve, resolveHost, resolvingFault } from '../net/resolve.ts';
import type { Mailbox } from '../store/sites/catalogue.ts';

interface SentMail {
  ended: MailAttempt;
  response: string | null;
  error: string | null;
  /** Of each address, when the server refused some. */
  answers?: readonly Answer[];
}

export interface MailTransport {
  /** A mail server answers slowly; a disk is shared with all other writes. */
  atOnce: number;
  /**
   * Never rejects. Null when `giveUp` came before the server took any of the mail.
   * @param through whose server takes it; null: the desk's own
   */
  send(mail: ComposedMail, through?: Mailbox | null): Promise<SentMail | null>;
  /** Cancels the mails that the server has not started to take: it can keep the desk waiting for minutes. */
  giveUp(): void;
  close(): void;
}

export const mailTimeouts = {
  connectionTimeout: 15_000,
  greetingTimeout: 30_000,
  // A server can scan a message for minutes before it answers; giving up then would send it twice.
  socketTimeout: 300_000,
  wholeTimeout: 600_000,
};

// Nodemailer must not read files or URLs that a message names.
const closedContent = { disableFileAccess: true, disableUrlAccess: true };

/** One connection per mail: a server that drops an idle one may or may not have taken the mail. */
export function smtpTransport(url: string, timeouts = mailTimeouts, resolve: Resolve = resolveHost): MailTransport {
  if (!/^smtps?:\/\/[^/]/i.test(url) || !URL.canParse(url)) {
    throw new Error(
      'The mail server must be a URL such as smtp://user:password@host:587 or smtps://user:password@host:465.',
    );
  }
  const host = bareHost(new URL(url).hostname);
  return transportTo(async () => {
    const fault = await nameFault(host, resolve);
    return fault === null ? { url } : { fault: `The mail server ${host} cannot be found: ${fault}.` };
  }, timeouts);
}

// Loaded with the first mail: it takes two megabytes.
export const loadMailer = () => import('nodemailer');

type CreateTransport = Awaited<ReturnType<typeof loadMailer>>['createTransport'];

type Prepared = Parameters<CreateTransport>[0] | { fault: string };

const isFault = (prepared: Prepared): prepared is { fault: string } =>
  typeof prepared === 'object' && prepared !== null && 'fault' in prepared;

/** @param prepare finds out how to connect, for each mail */
export function transportTo(
  prepare: (through: Mailbox | null) => Promise<Prepared>,
  timeouts = mailTimeouts,
): MailTransport {
  const { wholeTimeout, ...each } = timeouts;
  const waiting = new Set<AbortController>();
  const givenUp = Promise.withResolvers<null>();
  let isGivenUp = false;
  function transporterOf(createTransport: CreateTransport, prepared: Exclude<Prepared, { fault: string }>) {
    const transporter = createTransport({ ...(prepared as object), ...each, ...closedContent });
    transporter.use('stream', (mail, done) => {
      const of = [...waiting].find(({ signal }) => signal === mail.data.signal);
      const { message } = mail;
      const create = message.createReadStream.bind(message);
      message.createReadStream = (...given: Parameters<typeof create>) => {
        const stream = create(...given);
        // The server is ready for the data: from now on only the server knows whether it has the mail.
        const pipe = stream.pipe.bind(stream);
        stream.pipe = ((...to: Parameters<typeof pipe>) => {
          if (of) waiting.delete(of);
          return pipe(...to);
        }) as typeof stream.pipe;
        return stream;
      };
      done();
    });
    return transporter;
  }
  return {
    atOnce: 4,
    async send(mail, through = null) {
      const { createTransport } = await loadMailer();
      const prepared = await Promise.race([prepare(through), givenUp.promise]);
      if (isGivenUp || prepared === null) return null;
      if (isFault(prepared)) return { ended: { kind: 'unreachable' }, response: null, error: prepared.fault };
      const transporter = transporterOf(createTransport, prepared);
      const patience = new AbortController();
      waiting.add(patience);
      const timer = setTimeout(() => patience.abort(), wholeTimeout);
      try {
        const info = await transporter.sendMail({ ...mail, signal: patience.signal });
        return taken(info);
      } catch (error) {
        return isGivenUp && waiting.has(patience) ? null : failure(error);
      } finally {
        waiting.delete(patience);
        clearTimeout(timer);
        transporter.close();
      }
    },
    giveUp() {
      isGivenUp = true;
      givenUp.resolve(null);
      for (const patience of waiting) patience.abort();
    },
    close: () => undefined,
  };
}

interface Refusal {
  recipient?: string;
  responseCode?: number;
  response?: string;
  message: string;
}

const refusedAnswers = (refusals: readonly Refusal[]): Answer[] =>
  refusals.map(({ recipient, responseCode, response, message }) => ({
    address: recipient ?? '',
    code: responseCode ?? 500,
    response: (response ?? message).slice(0, 500),
  }));

/** A server can take a mail for some of its recipients. Whom it refuses for now is tried again. */
function taken(info: { accepted?: unknown[]; rejectedErrors?: Refusal[]; response?: string }): SentMail {
  const response = info.response ?? null;
  const refused = refusedAnswers(info.rejectedErrors ?? []);
  if (refused.length === 0) return { ended: { kind: 'accepted' }, response, error: null };
  const accepted = (info.accepted ?? []).map((address) => ({ address: String(address), code: null, response: '' }));
  const later = refused.find(({ code }) => code !== null && code < 500);
  return {
    ended: later?.code == null ? { kind: 'accepted' } : { kind: 'rejected', code: later.code },
    response,
    error: refused
      .map((one) => `${one.address}: ${one.response}`)
      .join('; ')
      .slice(0, 500),
    answers: [...accepted, ...refused],
  };
}

/** Nodemailer would call getaddrinfo, which blocks one of the few threads, for a name that DNS does not know. */
async function nameFault(host: string, resolve: Resolve): Promise<string | null> {
  if (isIP(host) !== 0) return null;
  try {
    const addresses = await resolve(host);
    return addresses.length === 0 ? 'its name has no address' : null;
  } catch (error) {
    return resolvingFault(error) ?? 'its name could not be resolved';
  }
}

interface SmtpFailure {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
  message: string;
  rejectedErrors?: Refusal[];
}

function failure(thrown: unknown): SentMail {
  const error: SmtpFailure = thrown instanceof Error ? thrown : new Error('unknown error');
  const response = error.response ?? null;
  const answers = refusedAnswers(error.rejectedErrors ?? []);
  const ended = endedBy(error);
  return { ended, response, error: error.message.slice(0, 500), ...(answers.length > 1 ? { answers } : {}) };
}

const aboutTheMail = /^(MAIL FROM|RCPT TO|DATA|BDAT)/;
const authenticationRequired = 530;

function endedBy({ code, command = '', responseCode }: SmtpFailure): MailAttempt {
  if (responseCode !== undefined) {
    // A refused login or greeting points to wrong settings: keep the mail until they are fixed.
    const isAboutTheMail = aboutTheMail.test(command) && responseCode !== authenticationRequired;
    return isAboutTheMail ? { kind: 'rejected', code: responseCode } : { kind: 'unreachable' };
  }
  const isUnsendable = code === 'EENVELOPE' || code === 'EMESSAGE' || code === 'ESTREAM' || code === 'EFILEACCESS';
  return isUnsendable ? { kind: 'unsendable' } : { kind: 'unreachable' };
}

/** Makes the bytes of a mail, and sends nothing. */
export async function composerOf() {
  const { createTransport } = await loadMailer();
  return createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...closedContent });
}

/** Writes `{time}-{message id}.eml`. The file appears only when it is complete and on disk. */
export function fileTransport(directory: string): MailTransport {
  let composer: Awaited<ReturnType<typeof composerOf>> | null = null;
  return {
    atOnce: 1,
    async send(mail) {
      try {
        composer ??= await composerOf();
        const { message } = await composer.sendMail(mail);
        const path = join(directory, emlName(mail.date, mail.messageId));
        await writeDurably(path, message as Buffer);
        return { ended: { kind: 'accepted' }, response: path, error: null };
      } catch (error) {
        return failure(error);
      }
    },
    giveUp: () => undefined,
    close: () => composer?.close(),
  };
}

const openFile = promisify(open);
const writeAll = promisify(writeFile);
const sync = promisify(fsync);

async function openNew(path: string): Promise<number> {
  const create = () => openFile(path, 'w', 0o600);
  return await create().catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    return create();
  });
}

/** What only changes names is done at once: to have another thread do it and report takes longer. */
async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const unfinished = `${path}.tmp`;
  try {
    const file = await openNew(unfinished);
    try {
      await writeAll(file, bytes);
      await sync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

// Hands a composed mail to a mail server, or writes it to an .eml file when there is none.

import { mkdir, open, rename, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { syncFolder } from '../base/sync-folder.ts';
import type { MailAttempt } from '../domain/delivery.ts';
import { emlName } from '../files/eml-files.ts';
import type { ComposedMail } from '../mail/outgoing/compose.ts';
import { bareHost } from '../net/allow-list.ts';
import { type Resolve, resolveHost, resolvingFault } from '../net/resolve.ts';

interface SentMail {
  ended: MailAttempt;
  response: string | null;
  error: string | null;
}

export interface MailTransport {
  /** A mail server answers slowly; a disk is shared with all other writes. */
  atOnce: number;
  /** Never rejects. Null when `giveUp` came before the server took any of the mail. */
  send(mail: ComposedMail): Promise<SentMail | null>;
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
  const { wholeTimeout, ...each } = timeouts;
  const transporter = createTransport({ url, ...each, ...closedContent });
  const host = bareHost(new URL(url).hostname);
  const waiting = new Set<AbortController>();
  const givenUp = Promise.withResolvers<null>();
  let isGivenUp = false;
  transporter.use('stream', (prepared, done) => {
    const of = [...waiting].find(({ signal }) => signal === prepared.data.signal);
    const { message } = prepared;
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
  return {
    atOnce: 4,
    async send(mail) {
      const fault = await Promise.race([nameFault(host, resolve), givenUp.promise]);
      if (isGivenUp) return null;
      if (fault !== null)
        return {
          ended: { kind: 'unreachable' },
          response: null,
          error: `The mail server ${host} cannot be found: ${fault}.`,
        };
      const patience = new AbortController();
      waiting.add(patience);
      const timer = setTimeout(() => patience.abort(), wholeTimeout);
      try {
        const info = await transporter.sendMail({ ...mail, signal: patience.signal });
        return { ended: { kind: 'accepted' }, response: info.response ?? null, error: null };
      } catch (error) {
        return isGivenUp && waiting.has(patience) ? null : failure(error);
      } finally {
        waiting.delete(patience);
        clearTimeout(timer);
      }
    },
    giveUp() {
      isGivenUp = true;
      givenUp.resolve(null);
      for (const patience of waiting) patience.abort();
    },
    close: () => transporter.close(),
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
}

function failure(thrown: unknown): SentMail {
  const error: SmtpFailure = thrown instanceof Error ? thrown : new Error('unknown error');
  const response = error.response ?? null;
  return { ended: endedBy(error), response, error: error.message.slice(0, 500) };
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

/** Writes `{time}-{message id}.eml`. The file appears only when it is complete and on disk. */
export function fileTransport(directory: string): MailTransport {
  const transporter = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...closedContent });
  return {
    atOnce: 1,
    async send(mail) {
      try {
        const { message } = await transporter.sendMail(mail);
        const path = join(directory, emlName(mail.date, mail.messageId));
        await writeDurably(directory, path, message as Buffer);
        return { ended: { kind: 'accepted' }, response: path, error: null };
      } catch (error) {
        return failure(error);
      }
    },
    giveUp: () => undefined,
    close: () => transporter.close(),
  };
}

async function writeDurably(directory: string, path: string, bytes: Buffer): Promise<void> {
  await mkdir(directory, { recursive: true });
  const unfinished = `${path}.tmp`;
  try {
    const file = await open(unfinished, 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(directory);
}

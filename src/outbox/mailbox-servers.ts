// The servers of a mailbox: how the desk signs in to them, and sends through them.

import { isIP } from 'node:net';
import type { SendMailOptions } from 'nodemailer';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { secretsOf } from '../desk/mail/mailboxes.ts';
import { isOwnServer } from '../desk/outbox/own-server.ts';
import { canaryHeader } from '../domain/mail/canary.ts';
import type { MailServer, TrialReason } from '../domain/mail/mailbox.ts';
import { ConsentNeeded } from '../identity/mailbox-access.ts';
import {
  connectImap,
  type ImapAccount,
  type ImapConnection,
  ImapFault,
  type imapTimes,
} from '../mail/imap/connection.ts';
import type { ComposedMail } from '../mail/outgoing/compose.ts';
import { Refused } from '../net/permitted.ts';
import type { Mailbox } from '../store/sites/catalogue.ts';
import { composerOf, loadMailer, type MailTransport, mailTimeouts, transportTo } from './mail-transport.ts';

/** How the desk gets to a mail server (src/net/mail-hosts.ts). Throws an Error in words. */
export interface MailRoute {
  reach(
    server: MailServer,
    protocol: 'imap' | 'smtp',
    isRelay?: boolean,
  ): Promise<{ address: string; pinned: string | null }>;
  /** From and until when its certificate is good. Null if the server does not show one now. */
  certificateTerm(server: MailServer, protocol: 'imap' | 'smtp'): Promise<{ from: number; until: number } | null>;
  describeCertificate(server: MailServer, protocol: 'imap' | 'smtp'): Promise<string>;
  /** For a mailbox with OAuth. Throws ConsentNeeded or TokenFault. @param isRefused the server did not take the last one */
  accessToken(desk: Way['desk'], mailbox: Mailbox, isRefused: boolean): Promise<string>;
}

interface Way {
  desk: Pick<Desk, 'seal' | 'read' | 'write' | 'context'>;
  route: MailRoute;
}

/** Signs in for reading. Throws an ImapFault in words. */
export async function connectMailbox(
  { desk, route }: Way,
  mailbox: Mailbox,
  times?: typeof imapTimes,
): Promise<ImapConnection> {
  const { incoming } = mailbox;
  if (incoming === null) throw new Error('this mailbox is not read');
  const reached = await route.reach(incoming, 'imap').catch((error) => {
    throw new ImapFault('other', error instanceof Error ? error.message : 'The server cannot be reached.');
  });
  const { host, port, tls, user } = incoming;
  const connect = (credential: ImapAccount['credential']) =>
    connectImap({ host, port, tls, user, credential, ...reached }, times);
  try {
    if (mailbox.authentication === 'password') return await connect({ password: secretsOf(desk, mailbox).incoming });
    try {
      return await connect({ accessToken: await imapToken(desk, route, mailbox, false) });
    } catch (error) {
      // The provider may have ended the token early.
      if (!(error instanceof ImapFault) || error.kind !== 'credentials') throw error;
      return await connect({ accessToken: await imapToken(desk, route, mailbox, true) });
    }
  } catch (error) {
    if (!(error instanceof ImapFault) || error.kind !== 'certificate') throw error;
    const described = await route.describeCertificate(incoming, 'imap');
    throw new ImapFault('certificate', `The certificate of ${host} does not verify: ${error.message}. ${described}`);
  }
}

async function imapToken(desk: Way['desk'], route: MailRoute, mailbox: Mailbox, isRefused: boolean): Promise<string> {
  return await route.accessToken(desk, mailbox, isRefused).catch((error) => {
    throw new ImapFault(error instanceof ConsentNeeded ? 'consent' : 'other', wordsOf(error));
  });
}

function authOf({ desk, route }: Way, mailbox: Mailbox, { user }: MailServer) {
  if (user === null) return {};
  if (mailbox.authentication === 'password') return { auth: { user, pass: secretsOf(desk, mailbox).outgoing } };
  const type = 'OAuth2' as const;
  return {
    auth: {
      type,
      user,
      provisionCallback(_user: string, isRefused: boolean, done: (error: Error | null, token?: string) => void) {
        route.accessToken(desk, mailbox, isRefused).then((token) => done(null, token), done);
      },
    },
  };
}

/** What nodemailer connects with, for one mail: the checked address, and the certificate of the host. */
async function smtpOptions({ desk, route }: Way, mailbox: Mailbox) {
  const { outgoing } = mailbox;
  if (outgoing === null) throw new Error('this mailbox has no server for sending');
  const { address, pinned } = await route.reach(outgoing, 'smtp', isOwnServer(mailbox));
  return {
    host: address,
    port: outgoing.port,
    secure: outgoing.tls === 'implicit',
    requireTLS: outgoing.tls === 'starttls',
    ignoreTLS: outgoing.tls === 'none',
    ...authOf({ desk, route }, mailbox, outgoing),
    tls: {
      ...(isIP(outgoing.host) === 0 ? { servername: outgoing.host } : {}),
      ...(pinned === null ? {} : { ca: [pinned], checkServerIdentity: () => undefined }),
    },
  };
}

/** Mail of a mailbox goes through its server, and all other mail where it went before. */
export function withMailboxes(own: MailTransport, { log, ...way }: Way & { log: Log }): MailTransport {
  const theirs = transportTo(async (mailbox) => {
    if (mailbox === null) throw new Error('no mailbox was named');
    return await smtpOptions(way, mailbox).catch((error) => ({ fault: wordsOf(error) }));
  });
  return {
    atOnce: own.atOnce,
    async send(mail, through = null) {
      if (through === null) return await own.send(mail);
      const sent = await theirs.send(mail, through);
      if (sent?.ended.kind === 'accepted' && through.saveSent && through.incoming !== null && !isCanary(mail))
        // The customer has the mail: what becomes of the copy must not send it again.
        saveSent(way, through, mail).catch((error) =>
          log.warn({ mailbox: through.id, ...errorFields(error) }, 'a sent mail could not be put into Sent'),
        );
      return sent;
    },
    giveUp() {
      own.giveUp();
      theirs.giveUp();
    },
    close() {
      own.close();
      theirs.close();
    },
  };
}

const isCanary = ({ headers }: ComposedMail) => canaryHeader in headers;

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : 'The server cannot be reached.');

async function saveSent(way: Way, mailbox: Mailbox, mail: ComposedMail): Promise<void> {
  const composer = await composerOf();
  const { message } = await composer.sendMail(mail);
  const connection = await connectMailbox(way, mailbox);
  try {
    if (!(await connection.addSent(message as Buffer))) throw new Error('the mailbox has no folder for sent mail');
  } finally {
    await connection.leave();
  }
}

/** Sends one mail through the mailbox's server, and says in words what happened. */
export async function trySending(way: Way, mailbox: Mailbox, mail: SendMailOptions): Promise<SendingFault | null> {
  return await tried(way, mailbox.outgoing, async () => await sendOnce(await smtpOptions(way, mailbox), mail));
}

/** The same through the server that the environment names, which owners chose with the machine. */
export const tryUrl = (way: Way, url: string, mail: SendMailOptions) => tried(way, null, () => sendOnce({ url }, mail));

async function tried(way: Way, outgoing: MailServer | null, send: () => Promise<void>): Promise<SendingFault | null> {
  try {
    await send();
    return null;
  } catch (error) {
    return await smtpFault(way, outgoing, error);
  }
}

async function sendOnce(server: object, mail: SendMailOptions): Promise<void> {
  const { createTransport } = await loadMailer();
  const { wholeTimeout: _, ...timeouts } = mailTimeouts;
  const transporter = createTransport({
    ...server,
    ...timeouts,
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  await transporter.sendMail(mail);
}

interface SendingFault {
  reason: TrialReason;
  message: string;
}

interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
  message?: string;
}

async function smtpFault({ route }: Way, outgoing: MailServer | null, thrown: unknown): Promise<SendingFault> {
  const error = thrown as SmtpError;
  const said = (error.response ?? wordsOf(thrown)).replaceAll(/\s+/g, ' ').slice(0, 300);
  if (outgoing !== null && (error.code === 'ETLS' || /certificate|self.signed|altname/i.test(error.message ?? ''))) {
    const described = await route.describeCertificate(outgoing, 'smtp');
    const message = `The certificate of ${outgoing.host} does not verify: ${said}. ${described}`;
    return { reason: 'certificate', message };
  }
  if (thrown instanceof ConsentNeeded) return { reason: 'consent', message: said };
  if (thrown instanceof Refused) return { reason: 'not_allowed', message: said };
  if (error.code === 'EAUTH')
    return { reason: 'password', message: `The server refuses the user or password: ${said}` };
  if (error.code === 'ECONNECTION' || error.code === 'ESOCKET' || error.code === 'ETIMEDOUT')
    return { reason: 'other', message: `The server cannot be reached: ${said}` };
  return { reason: 'other', message: said };
}

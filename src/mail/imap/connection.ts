// One connection to a mailbox over IMAP: what the desk asks of it, with limits on time and size (docs/spec/mailboxes.md).

import { isIP } from 'node:net';
import type { ImapFlow } from 'imapflow';
import { canaryHeader } from '../../domain/mail/canary.ts';
import type { TlsMode } from '../../domain/mail/mailbox.ts';
import { fit, oneLine } from '../../domain/plain-text.ts';

/** Where to connect and as whom. The address was checked; the certificate must be for the host. */
export interface ImapAccount {
  host: string;
  address: string;
  port: number;
  tls: TlsMode;
  user: string;
  credential: { password: string } | { accessToken: string };
  /** The one certificate to trust, in PEM, for whatever name it is. */
  pinned: string | null;
}

interface OpenedFolder {
  uidValidity: string;
  uidNext: number;
}

/** What is known of a message before it is fetched. */
export interface DescribedMessage {
  uid: number;
  size: number;
  /** When it came to the server. */
  date: number;
  messageId: string | null;
  /** What proves that the desk sent it to this mailbox, as it is written. */
  canary: string | null;
}

export interface ImapConnection {
  open(folder: string, isReadOnly: boolean): Promise<OpenedFolder>;
  /** UIDs in order. @param to null: up to the newest @param since null: of any age */
  list(from: number, to: number | null, since: number | null): Promise<number[]>;
  /** At most 50. Those that are no longer there are left out. */
  describe(uids: readonly number[]): Promise<DescribedMessage[]>;
  headers(uid: number): Promise<MessageHeaders | null>;
  content(message: DescribedMessage): AsyncGenerator<Uint8Array>;
  markRead(uids: readonly number[]): Promise<boolean>;
  /** False if the server has not moved them. Makes the folder if it is missing. */
  move(uids: readonly number[], folder: string): Promise<boolean>;
  /** Deletes them, as far as the server can without deleting others. */
  remove(uids: readonly number[]): Promise<void>;
  /** Adds a read message to the folder for sent mail. False if there is none. */
  addSent(message: Uint8Array): Promise<boolean>;
  /** Waits for news until the next command; returns at once. */
  idle(): void;
  ping(): Promise<void>;
  onNews(tell: () => void): void;
  readonly isClosed: boolean;
  close(): void;
  leave(): Promise<void>;
}

interface MessageHeaders {
  bytes: Uint8Array;
  from: string | null;
  subject: string | null;
}

type ImapFaultKind = 'credentials' | 'consent' | 'throttled' | 'certificate' | 'silent' | 'message' | 'other';

export class ImapFault extends Error {
  override name = 'ImapFault';
  readonly kind: ImapFaultKind;
  constructor(kind: ImapFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const imapLimits = {
  /** Messages are asked for in pieces, so nothing larger is an answer. */
  pieceBytes: 1024 * 1024,
  literalBytes: 1024 * 1024 + 1024,
  /** A list of half a million UIDs. */
  lineBytes: 4 * 1024 * 1024,
  responseBytes: 6 * 1024 * 1024,
  tokens: 100_000,
  /** What one command may answer in all, and one that lists. */
  answerBytes: 2 * 1024 * 1024,
  listBytes: 8 * 1024 * 1024,
  headerBytes: 512 * 1024,
  describedAtOnce: 50,
};

export const imapTimes = {
  connectMs: 30_000,
  /** Without a byte from the server while it owes an answer. */
  silentMs: 30_000,
  commandMs: 10 * 60_000,
  pingMs: 15_000,
};

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ALTNAME|ERR_TLS|HOSTNAME_MISMATCH/;

interface ServerError {
  code?: string;
  message?: string;
  serverResponseCode?: string;
  responseText?: string;
  authenticationFailed?: boolean;
  throttleReset?: number;
}

/** Words of the server or the library, as a person reads them. */
function faultOf(thrown: unknown): ImapFault {
  if (thrown instanceof ImapFault) return thrown;
  const error: ServerError = thrown instanceof Error ? thrown : { message: 'unknown error' };
  const said = fit(oneLine(error.responseText || error.message || 'unknown error'), 300);
  // The library says `authenticationFailed` also of a server that is busy or down.
  if (error.serverResponseCode === 'AUTHENTICATIONFAILED')
    return new ImapFault('credentials', `The server refuses the user or password: ${said}`);
  const isBusy = /^(?:ETHROTTLE|LIMIT|INUSE|UNAVAILABLE|OVERQUOTA|SERVERBUG)$/;
  if (isBusy.test(error.code ?? '') || isBusy.test(error.serverResponseCode ?? ''))
    return new ImapFault('throttled', `The server is busy or limits this mailbox: ${said}`);
  if (certificateCodes.test(error.code ?? '')) return new ImapFault('certificate', said);
  if (error.authenticationFailed) return new ImapFault('other', `The server lets no one sign in now: ${said}`);
  return new ImapFault('other', phrases[error.code ?? ''] ?? said);
}

const phrases: Record<string, string> = {
  ECONNREFUSED: 'The server refuses the connection: is the port right?',
  ECONNRESET: 'The server ended the connection.',
  EConnectionClosed: 'The server ended the connection.',
  NoConnection: 'The server ended the connection.',
  EHOSTUNREACH: 'The server cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  CONNECT_TIMEOUT: 'The server does not answer: is the port right?',
  GREETING_TIMEOUT: 'The server does not greet: is the port right for this kind of TLS?',
  UPGRADE_TIMEOUT: 'The server does not answer STARTTLS.',
  ETIMEOUT: 'The server was silent for too long.',
  LiteralTooLarge: 'The server announced more than was asked for.',
  LineTooLarge: 'The server sent a line without an end.',
  ResponseTooLarge: 'The server sent more than was asked for.',
  TooManyTokens: 'The server sent more than was asked for.',
};

export async function connectImap(account: ImapAccount, times = imapTimes): Promise<ImapConnection> {
  // Half of all desks have no mailbox, and it takes 50 ms.
  const { ImapFlow } = await import('imapflow');
  const { host, credential, pinned } = account;
  // TLS knows no addresses in place of names.
  const named = isIP(host) === 0 ? { servername: host } : {};
  const client = new ImapFlow({
    host: account.address,
    port: account.port,
    ...named,
    secure: account.tls === 'implicit',
    doSTARTTLS: account.tls === 'starttls',
    auth:
      'password' in credential
        ? { user: account.user, pass: credential.password }
        : { user: account.user, accessToken: credential.accessToken },
    tls: {
      ...named,
      ...(pinned === null ? {} : { ca: [pinned], checkServerIdentity: () => undefined }),
    },
    logger: false,
    disableAutoIdle: true,
    // A few bytes could become gigabytes.
    disableCompression: true,
    // A message must arrive byte for byte: signatures are about its bytes.
    disableBinary: true,
    connectionTimeout: times.connectMs,
    greetingTimeout: times.connectMs / 2,
    socketTimeout: times.silentMs * 2,
    maxLineLength: imapLimits.lineBytes,
    maxLiteralSize: imapLimits.literalBytes,
    maxResponseSize: imapLimits.responseBytes,
    maxResponseTokens: imapLimits.tokens,
    clientInfo: { name: 'Helpdesk' },
  });
  restBetweenLines(client);
  let lastError: unknown = null;
  client.on('error', (error) => {
    lastError = error;
  });
  const connection = connectionOf(client, () => lastError, times);
  try {
    await connection.within(client.connect(), { silentMs: times.connectMs * 2 });
  } catch (error) {
    client.close();
    throw faultOf(error);
  }
  return connection;
}

const linesAtOnce = 50;

/** The library reads half a megabyte of answers in one go: a second for short lines, in which nothing else is served. */
function restBetweenLines(client: ImapFlow): void {
  const inside = client as unknown as { handleResponse(data: unknown): Promise<boolean> };
  const handle = inside.handleResponse.bind(client);
  let lines = 0;
  inside.handleResponse = async (data) => {
    lines += 1;
    if (lines % linesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    return await handle(data);
  };
}

type Within = <T>(command: Promise<T>, most?: { mostBytes?: number }) => Promise<T>;

async function removeMessages(client: ImapFlow, within: Within, uids: string): Promise<void> {
  const isGoogle = client.capabilities.has('X-GM-EXT-1');
  const folders = isGoogle ? await within(client.list(), { mostBytes: imapLimits.listBytes }) : [];
  const trash = folders.find(({ specialUse }) => specialUse === '\\Trash');
  // At Google, what is deleted only leaves the folder. Without UIDPLUS, EXPUNGE would take what others have marked.
  if (trash !== undefined) await within(client.messageMove(uids, trash.path, { uid: true }));
  else if (client.capabilities.has('UIDPLUS')) await within(client.messageDelete(uids, { uid: true }));
  else await within(client.messageFlagsAdd(uids, ['\\Deleted'], { uid: true, silent: true }));
}

const canaryLine = new RegExp(`^${canaryHeader}:\\s*([\\w.+/=-]{1,200})\\s*$`, 'im');

function connectionOf(client: ImapFlow, lastError: () => unknown, times: typeof imapTimes) {
  let isClosed = false;
  client.once('close', () => {
    isClosed = true;
  });

  /** The answer to a command. A server that is silent, or answers without an end, loses the connection. */
  async function within<T>(
    command: Promise<T>,
    { silentMs = times.silentMs, mostBytes = imapLimits.answerBytes } = {},
  ): Promise<T> {
    const { promise: over, reject } = Promise.withResolvers<never>();
    const began = client.stats().received;
    let seen = began;
    let silentFor = 0;
    let lasted = 0;
    const everyMs = Math.min(1000, Math.max(10, silentMs / 4));
    const timer = setInterval(() => {
      const { received } = client.stats();
      silentFor = received === seen ? silentFor + everyMs : 0;
      seen = received;
      lasted += everyMs;
      if (silentFor >= silentMs) reject(new ImapFault('silent', 'The server was silent for too long.'));
      else if (lasted >= times.commandMs) reject(new ImapFault('silent', 'The server did not finish its answer.'));
      else if (received - began > mostBytes) reject(new ImapFault('other', 'The server sent more than was asked for.'));
    }, everyMs);
    try {
      return await Promise.race([command, over]);
    } catch (error) {
      if (error instanceof ImapFault) client.close();
      throw isClosed && lastError() !== null && !(error instanceof ImapFault) ? faultOf(lastError()) : faultOf(error);
    } finally {
      clearInterval(timer);
      command.catch(() => undefined);
    }
  }

  const lists = { mostBytes: imapLimits.listBytes };
  const range = (uids: readonly number[]) => uids.join(',');

  async function readPiece(uid: number, start: number): Promise<Uint8Array | null> {
    const asked = { uid: true, source: { start, maxLength: imapLimits.pieceBytes } };
    const row = await within(client.fetchOne(String(uid), asked, { uid: true }));
    if (!row) return null;
    if (row.source === undefined || row.source.length > imapLimits.pieceBytes)
      throw new ImapFault('message', 'The server lists this message but does not hand it out.');
    return row.source;
  }

  return {
    within,
    get isClosed() {
      return isClosed;
    },
    async open(folder: string, isReadOnly: boolean): Promise<OpenedFolder> {
      const opened = await within(client.mailboxOpen(folder, { readOnly: isReadOnly }));
      const { uidValidity, uidNext } = opened;
      if (uidNext > 0) return { uidValidity: String(uidValidity), uidNext };
      const all = await this.list(1, null, null);
      return { uidValidity: String(uidValidity), uidNext: (all.at(-1) ?? 0) + 1 };
    },
    async list(from: number, to: number | null, since: number | null): Promise<number[]> {
      if (to !== null && to < from) return [];
      const asked = { uid: `${from}:${to ?? '*'}`, ...(since === null ? {} : { since: new Date(since) }) };
      const found = await within(client.search(asked, { uid: true }), lists);
      if (!found) throw new ImapFault('other', 'The server does not list its messages.');
      // `5:*` names the newest message even if its UID is 3.
      return found.filter((uid) => uid >= from && (to === null || uid <= to)).sort((one, other) => one - other);
    },
    async describe(uids: readonly number[]): Promise<DescribedMessage[]> {
      const asked = new Set(uids);
      const described = new Map<number, DescribedMessage>();
      const gather = async () => {
        const query = { uid: true, size: true, internalDate: true, headers: ['message-id', canaryHeader] };
        for await (const row of client.fetch(range(uids), query, { uid: true })) {
          if (!asked.has(row.uid) || row.size === undefined) continue;
          const date = row.internalDate === undefined ? Number.NaN : new Date(row.internalDate).getTime();
          const written = row.headers?.subarray(0, 2000).toString('latin1') ?? '';
          const unfolded = written.replace(/\r?\n[ \t]+/g, ' ');
          const messageId = /^message-id:\s*(<[^>\s]{1,998}>)/im.exec(unfolded)?.[1];
          described.set(row.uid, {
            uid: row.uid,
            size: row.size,
            date: Number.isNaN(date) ? 0 : date,
            messageId: messageId ?? null,
            canary: canaryLine.exec(unfolded)?.[1] ?? null,
          });
        }
      };
      await within(gather(), lists);
      return uids.flatMap((uid) => described.get(uid) ?? []);
    },
    async headers(uid: number): Promise<MessageHeaders | null> {
      const part = { key: 'HEADER', start: 0, maxLength: imapLimits.headerBytes };
      const row = await within(
        client.fetchOne(String(uid), { uid: true, envelope: true, bodyParts: [part] }, { uid: true }),
      );
      if (!row) return null;
      const { headers: bytes = Buffer.alloc(0), envelope } = row;
      return { bytes, from: envelope?.from?.[0]?.address ?? null, subject: envelope?.subject ?? null };
    },
    async *content({ uid, size }: DescribedMessage): AsyncGenerator<Uint8Array> {
      for (let start = 0; ; ) {
        const piece = await readPiece(uid, start);
        if (piece === null) throw new ImapFault('message', 'The message disappeared while it was read.');
        if (piece.length > 0) yield piece;
        start += piece.length;
        // Some servers only guess the size.
        if (piece.length === 0 || (piece.length < imapLimits.pieceBytes && start >= size)) return;
      }
    },
    async markRead(uids: readonly number[]): Promise<boolean> {
      return (await within(client.messageFlagsAdd(range(uids), ['\\Seen'], { uid: true, silent: true }))) !== false;
    },
    async move(uids: readonly number[], folder: string): Promise<boolean> {
      const moved = () => within(client.messageMove(range(uids), folder, { uid: true }));
      if (await moved()) return true;
      await within(client.mailboxCreate(folder)).catch((error) => {
        if (isClosed) throw error;
      });
      return Boolean(await moved());
    },
    remove: (uids: readonly number[]) => removeMessages(client, within, range(uids)),
    async addSent(message: Uint8Array): Promise<boolean> {
      const folders = await within(client.list(), lists);
      const sent =
        folders.find(({ specialUse }) => specialUse === '\\Sent') ?? folders.find(({ path }) => /^sent\b/i.test(path));
      if (sent === undefined) return false;
      return Boolean(await within(client.append(sent.path, Buffer.from(message), ['\\Seen'])));
    },
    idle() {
      if (client.capabilities.has('IDLE')) client.idle().catch(() => undefined);
    },
    ping: () => within(client.noop(), { silentMs: times.pingMs }),
    onNews(tell: () => void) {
      client.on('exists', tell);
      client.on('close', tell);
    },
    close() {
      isClosed = true;
      client.close();
    },
    async leave() {
      await within(client.logout(), { silentMs: 2_000 }).catch(() => client.close());
    },
  };
}

// The http room on its own desk, called without a network; limits are off unless a test turns them on.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import { createSeal } from '../../src/base/crypto.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { createDesk, type Desk } from '../../src/desk/desk.ts';
import { mailAsked } from '../../src/desk/outbox/asked-mails.ts';
import { addAgent } from '../../src/desk/people/agents.ts';
import { startSession } from '../../src/desk/people/sessions.ts';
import { issueToken } from '../../src/desk/people/tokens.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import type { Role, TokenAbility } from '../../src/domain/actor.ts';
import { query, type Store } from '../../src/engine/database.ts';
import { type Blobs, createLocalBlobs } from '../../src/files/blobs.ts';
import type { Scanner } from '../../src/files/clamav.ts';
import { createLinks } from '../../src/files/links.ts';
import { createThumbnails } from '../../src/files/thumbnails.ts';
import { createApp } from '../../src/http/app.ts';
import { createGates } from '../../src/http/body-gates.ts';
import { admits } from '../../src/http/credentials/access.ts';
import { createAddressList } from '../../src/http/credentials/client-address.ts';
import { createRateLimiter } from '../../src/http/credentials/rate-limit.ts';
import type { Edge, Operation } from '../../src/http/operation.ts';
import { allOperations } from '../../src/http/operations.ts';
import { createLiveFeed } from '../../src/http/streams/live-feed.ts';
import { createPresence } from '../../src/http/streams/presence.ts';
import { ticketCounts, usualCountLimits } from '../../src/http/wire/lists/ticket-counts.ts';
import { createProvider } from '../../src/identity/mailbox-exchange.ts';
import { createMailroom } from '../../src/jobs/mailroom.ts';
import { createRecomputer } from '../../src/jobs/recompute.ts';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { checkRecords } from '../../src/net/sender-records.ts';
import { requestBodyOf } from '../../src/outbox/delivery-content.ts';
import { fileBudget } from '../../src/reader/jobs.ts';
import { browserFiles } from '../../src/server/browser/files.ts';
import { dueAsked } from '../../src/store/outbox/asked-mails.ts';
import { agentById, deleteAgent } from '../../src/store/people/agents.ts';
import type { Site } from '../../src/store/sites/sites.ts';
import { fixedClock } from './clock.ts';
import { temporaryFolder } from './folders.ts';
import { inlineReader } from './inline-reader.ts';
import { migratedStore } from './store.ts';
import { streamed } from './streamed.ts';

// A name at which browsers offer passkeys.
export const baseUrl = 'http://desk.localhost';
export const beginning = Date.UTC(2026, 8, 11, 9, 30);

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  json: any;
}

interface Asking {
  headers?: Record<string, string>;
  body?: unknown;
  peer?: string;
}

export interface TestApp {
  desk: Desk;
  edge: Edge;
  path: string;
  /** Where the attachments lie. */
  blobFolder: string;
  /** What arrived, as it arrived. */
  mailBlobs: Blobs;
  clock: ReturnType<typeof fixedClock>;
  operations: readonly Operation[];
  site: Site;
  siteToken: string;
  inboundSecret: string;
  other: { site: Site; siteToken: string; inboundSecret: string };
  agentId: number;
  token(
    abilities: TokenAbility[],
    siteId?: number | null,
    expiresAt?: number | null,
  ): Promise<{ id: number; secret: string }>;
  /** Asks with the headers' credentials; a body that is no string, bytes or form is sent as JSON. */
  ask(method: string, path: string, asking?: Asking): Promise<Answered>;
  /** As the application of the site. */
  asSite(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  /** As a team with every ability. */
  asTeam(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  /** What an agent's browser sends after a sign-in. */
  signIn(agentId: number): Promise<{ sessionId: number; headers: Record<string, string> }>;
  /** An agent of that role, signed in. */
  person(
    role: Role,
    siteIds?: number[],
  ): Promise<{ agentId: number; sessionId: number; headers: Record<string, string> }>;
  /** Headers that authenticate for an operation as someone who can do everything. */
  welcome(operation: Pick<Operation, 'access'>): Promise<Record<string, string>>;
  open(input?: object): Promise<{ ulid: string; accessToken: string }>;
  /** Queues the codes and links that were asked for, whenever they are due. */
  mailAsked(): Promise<null>;
  /** How many rows each table has. */
  counts(): Record<string, number>;
  fetch(request: Request, peer?: string): Promise<Response>;
  close(): Promise<void>;
}

interface Limits {
  ingestCaller?: number;
  ingestSite?: number;
  other?: number;
  inbound?: number;
  authFailures?: number;
  signInFailures?: number;
  session?: number;
}

/** All of them are there already. */
export const routesFor = (operations: readonly Operation[]) =>
  operations.map((one) => ({ method: one.method, path: one.path, load: () => one }));

export async function testApp(
  limits: Limits = {},
  log: Log = silentLog,
  extra: Operation[] = [],
  { key = 9, scanner = null }: { key?: number; scanner?: Scanner | null } = {},
): Promise<TestApp> {
  const { store, path } = migratedStore();
  const clock = fixedClock(beginning);
  const seal = createSeal(Buffer.alloc(32, key));
  const desk = createDesk(store, seal, clock, undefined, scanner !== null);
  // However slow the machine is, a count is whole and of this moment.
  ticketCounts(desk, { ...usualCountLimits, longMs: Number.POSITIVE_INFINITY, answerMs: 60_000 });
  const folder = temporaryFolder();
  const blobFolder = join(folder, 'attachments');
  const blobs = createLocalBlobs(blobFolder);
  const mailBlobs = createLocalBlobs(join(folder, 'inbound'));
  const feed = createLiveFeed(desk);
  const edge = testEdge({ desk, blobs, mailBlobs, scanner, limits, log });
  const operations = [...(await allOperations(feed, baseUrl)), ...extra];
  const app = createApp({ edge, routes: routesFor(operations), browserFiles, log });
  const ctx = () => desk.context({ kind: 'command_line' }, 'test');
  const siteNamed = (name: string) => desk.write((tx) => createSite(tx, ctx(), { name }));
  const own = await siteNamed('Web shop');
  const other = await siteNamed('Other shop');
  const agent = await desk.write((tx) =>
    addAgent(tx, ctx(), { email: 'kim@agents.example', name: 'Kim', role: 'owner' }),
  );
  const token: TestApp['token'] = async (abilities, siteId = null, expiresAt = null) => {
    const issued = await desk.write((tx) =>
      issueToken(tx, ctx(), { name: 'Team', abilities, site_id: siteId, expires_at: expiresAt }),
    );
    return { id: issued.token.id, secret: issued.secret };
  };
  const team = await token(['read', 'write', 'manage']);

  const fetchApp = (request: Request, peer = '192.0.2.1') => Promise.resolve(app.fetch(request, { peer }));
  const ask = askOn(fetchApp);
  const asSite: TestApp['asSite'] = (method, target, body, headers = {}) =>
    ask(method, target, { headers: { 'X-Site-Token': own.siteToken, ...headers }, body });
  const signIn: TestApp['signIn'] = async (agentId) => {
    const { session, secret } = await desk.write((tx) => {
      const one = agentById(tx, agentId);
      if (!one) throw new Error(`no agent ${agentId}`);
      const browser = { browser: 'Firefox', system: 'Linux' };
      return startSession(tx, ctx(), one, {
        method: 'password',
        hasSecondFactor: false,
        formerSession: null,
        ...browser,
      });
    });
    return { sessionId: session.id, headers: { Cookie: `helpdesk=${secret}`, 'Sec-Fetch-Site': 'same-origin' } };
  };
  let people = 0;
  const met: number[] = [];
  const person: TestApp['person'] = async (role, siteIds = []) => {
    people += 1;
    const email = `${role}${people}@agents.example`;
    // A walk through all operations meets more people than a desk can have. The first stay: tests share them.
    const [gone] = met.length > 600 ? met.splice(50, 1) : [];
    const made = await desk.write((tx) => {
      if (gone !== undefined) deleteAgent(tx, gone);
      return addAgent(tx, ctx(), { email, name: `The ${role} ${people}`, role, sites: siteIds });
    });
    met.push(made.id);
    return { agentId: made.id, ...(await signIn(made.id)) };
  };
  const welcome: TestApp['welcome'] = async ({ access }) => {
    if (admits(access, 'siteToken')) return { 'X-Site-Token': own.siteToken };
    if (admits(access, 'teamToken')) return { Authorization: `Bearer ${team.secret}` };
    return admits(access, 'session') ? (await signIn(agent.id)).headers : {};
  };
  return {
    desk,
    edge,
    signIn,
    person,
    welcome,
    path,
    blobFolder,
    mailBlobs,
    clock,
    operations,
    ...own,
    other,
    agentId: agent.id,
    token,
    ask,
    asSite,
    asTeam: (method, target, body, headers = {}) =>
      ask(method, target, { headers: { Authorization: `Bearer ${team.secret}`, ...headers }, body }),
    async open(input = {}) {
      const opened = await asSite('POST', '/api/v1/public/tickets', {
        email: 'mia@example.org',
        name: 'Mia',
        subject: 'Cannot save',
        message: 'It fails.',
        ...input,
      });
      if (opened.status !== 201) throw new Error(opened.text);
      return { ulid: opened.json.ticket.ulid, accessToken: opened.json.access_token };
    },
    counts: () => rowsPerTable(store),
    mailAsked: () =>
      desk.write((tx) => {
        const doing = desk.context({ kind: 'scan' }, 'test');
        for (const one of dueAsked(tx, Number.MAX_SAFE_INTEGER, 0)) mailAsked(tx, doing, one);
        return null;
      }),
    fetch: fetchApp,
    async close() {
      await desk.writer.close();
      store.close();
    },
  };
}

interface EdgeParts {
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  scanner: Scanner | null;
  limits: Limits;
  log: Log;
}

const startedRun = { state: 'running', started_at: '', ended_at: null, data: null, message: null } as const;

function testEdge({ desk, blobs, mailBlobs, scanner, limits, log }: EdgeParts): Edge {
  const limiter = (limit: number | undefined) => createRateLimiter(limit ?? 0);
  const reportFault = (error: unknown) => {
    throw error;
  };
  return {
    desk,
    blobs,
    thumbnails: createThumbnails(blobs),
    scanner,
    links: createLinks(desk.seal, { baseUrl }, 15 * 60_000),
    limits: {
      ingestCaller: limiter(limits.ingestCaller),
      ingestSite: limiter(limits.ingestSite),
      other: limiter(limits.other),
      inbound: limiter(limits.inbound),
      authFailures: limiter(limits.authFailures),
      signInFailures: limiter(limits.signInFailures),
      session: limiter(limits.session),
    },
    gates: createGates(),
    baseUrl,
    inboundDomain: 'desk.example',
    isTrustedProxy: createAddressList(['10.0.0.0/8']),
    noteUse: () => undefined,
    isStopping: () => false,
    signIn: { password: true, oidc: null, tryIssuer: async () => undefined },
    settings: () => [],
    jobs: () => [{ name: 'snoozes', ended_at: '2026-01-05T09:00:00Z', ms: 3, error: null }],
    machine: () => ({ disk: { free_bytes: 1, used_share: 0.5 }, backup: null, restore_test: null }),
    commands: {
      last: () => null,
      isRunning: () => false,
      doctor: () => startedRun,
      backup: () => startedRun,
      backupFile: () => fileURLToPath(import.meta.url),
      testRestore: () => startedRun,
    },
    reportFault,
    cluster: null,
    mailroom: createMailroom({
      desk,
      blobs,
      mailBlobs,
      log,
      reader: inlineReader,
      answerWithinMs: null,
      fetchText: () => Promise.reject(new Error('no network in tests')),
    }),
    recomputer: createRecomputer(desk, log),
    readYaml: (yaml) => inlineReader.run('settings file', { yaml }, { budget: fileBudget }),
    presence: createPresence(),
    requestBodyOf: (material) => requestBodyOf(material, baseUrl),
    spamFilter: null,
    bucket: { place: 'here', try: async () => null },
    mailFault: async () => null,
    checkRecords: (address, selectors, server) =>
      checkRecords(address, selectors, server ?? 'smtp.example.net', async () => 'none'),
    mailboxes: {
      refuseHost: ({ host }) => Promise.resolve(host === '10.0.0.1' ? 'it is private' : null),
      try: () => Promise.resolve({ reading: { is_ok: true, reason: null, message: 'Signed in.' }, sending: null }),
      tryOwn: () => Promise.resolve({ reading: null, sending: null }),
      provider: (app) =>
        Promise.resolve(
          createProvider(app, { allow: parseAllowList('127.0.0.1'), timeoutMs: 2000, clock: systemClock }),
        ),
    },
    refuseDestination: (url) => Promise.resolve(new URL(url).hostname === '10.0.0.1' ? 'it is private' : null),
  };
}

function askOn(fetchApp: (request: Request, peer?: string) => Promise<Response>): TestApp['ask'] {
  return async (method, target, { headers = {}, body, peer } = {}) => {
    const isPlain =
      body === undefined ||
      typeof body === 'string' ||
      body instanceof Uint8Array ||
      body instanceof FormData ||
      body instanceof ReadableStream;
    const request = new Request(
      target.startsWith('http') ? target : baseUrl + target,
      streamed({
        method,
        headers: isPlain ? headers : { 'Content-Type': 'application/json', ...headers },
        body: (isPlain ? body : JSON.stringify(body)) as BodyInit | undefined,
      }),
    );
    const response = await fetchApp(request, peer);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : null,
    };
  };
}

function rowsPerTable(store: Store): Record<string, number> {
  const tables = query<{ name: string }>(
    store.reading,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'",
  ).all();
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      query<{ n: number }>(store.reading, `SELECT count(*) AS n FROM "${name}"`).get()?.n ?? 0,
    ]),
  );
}

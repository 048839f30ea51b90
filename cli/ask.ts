// Calls the operations of the API in this process, as the command line, which may do everything.

import { DeskError } from '../src/domain/errors.ts';
import type { Call, Edge, Operation } from '../src/http/operation.ts';
import { type OperationFile, operationFiles } from '../src/http/operations.ts';
import { requestWrites } from '../src/http/request-writes.ts';
import { decodeBody, decodeQuery } from '../src/http/wire/decode.ts';
import { toResponse } from '../src/http/wire/respond.ts';
import { UsageError } from './errors.ts';
import type { Opened } from './opened-desk.ts';

/** An operation by its file and id, such as `sites/createSite`. */
export type OperationName = `${OperationFile}/${string}`;

/** What only a running desk has. */
const made = {
  get feed() {
    return absent('live feed');
  },
  document: () => absent('OpenAPI document'),
};

export async function operationOf(name: OperationName): Promise<Operation> {
  const [file, id] = name.split('/') as [OperationFile, string];
  const found = (await operationFiles[file](made)).find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`there is no operation ${name}`);
  return found;
}

export interface Question {
  /** Of the path, by name. */
  params?: Readonly<Record<string, string | undefined>>;
  query?: URLSearchParams;
  body?: unknown;
}

/** The answer to a success; others are thrown. */
export async function ask(opened: Opened, name: OperationName, question: Question = {}): Promise<Response> {
  const operation = await operationOf(name);
  const { params = {}, query = new URLSearchParams(), body } = question;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
  const url = new URL(`${path}${query.size > 0 ? `?${query}` : ''}`, 'http://desk');
  const ctx = opened.ctx();
  const edge = await edgeOf(opened, operation);
  const call: Call = {
    edge,
    request: new Request(url, { method: operation.method }),
    url,
    actor: ctx.actor,
    site: null,
    session: null,
    visit: null,
    ctx,
    params: Object.fromEntries(
      Object.entries(params).flatMap(([param, value]) => (value === undefined ? [] : [[param, value]])),
    ),
    query: operation.query && decodedQuery(operation.query, url),
    body: operation.body && decodeBody(operation.body, body ?? {}),
    ifMatch: null,
    header: () => undefined,
    ...requestWrites(edge, ctx, null),
    get guesser() {
      return absent('guesser');
    },
  };
  const answer = await operation.handle(call);
  return answer instanceof Response ? answer : toResponse(answer);
}

/** The JSON of an answer. */
export async function askFor<Answer>(opened: Opened, name: OperationName, question?: Question): Promise<Answer> {
  return (await (await ask(opened, name, question)).json()) as Answer;
}

function decodedQuery(schema: NonNullable<Operation['query']>, url: URL): unknown {
  try {
    return decodeQuery(schema, url);
  } catch (error) {
    if (error instanceof DeskError) throw new UsageError(error.message);
    throw error;
  }
}

/** For what only a request or a running desk has: an operation above that begins to use it says so here. */
function absent(what: string): never {
  throw new Error(`The command line has no ${what}.`);
}

/** What the operations above use of the edge. */
async function edgeOf(opened: Opened, { path }: Operation): Promise<Edge> {
  const { config, data, links } = opened;
  const { baseUrl, inboundDomain } = data.addresses;
  const { requestBodyOf } = path.includes('/webhook-channels/')
    ? await import('../src/outbox/delivery-content.ts')
    : { requestBodyOf: () => null };
  return {
    desk: data.desk,
    blobs: data.blobs,
    get thumbnails() {
      return absent('thumbnails');
    },
    scanner: null,
    links,
    baseUrl,
    inboundDomain,
    settings: () => absent('running settings'),
    async mailFault(domain) {
      return await (await import('../src/net/mail-exchange.ts')).mailFault(domain);
    },
    machine: () => absent('running desk'),
    jobs: () => absent('running jobs'),
    get commands() {
      return absent('commands of its own');
    },
    readYaml: () => absent('reader of settings files'),
    reportFault: (error, message) => process.stderr.write(`${message}: ${error}\n`),
    requestBodyOf: (material) => requestBodyOf(material, baseUrl),
    async checkRecords(address, selectors, server) {
      const { checkRecords } = await import('../src/net/sender-records.ts');
      const { mailServerOf } = await import('../src/base/mail-sender.ts');
      return checkRecords(address, selectors, server ?? mailServerOf(config));
    },
    async refuseDestination(url) {
      const { checkDestination } = await import('../src/net/guarded-fetch.ts');
      const { guardOf } = await import('../src/outbox/setup.ts');
      const result = await checkDestination(url, guardOf(config));
      if (result.kind === 'refused') return result.reason;
      if (result.kind !== 'fine')
        opened.warnings.push(`Warning: ${new URL(url).hostname} cannot be reached now: ${result.reason}.`);
      return null;
    },
    bucket: {
      place: data.place,
      async try(bucket, secret) {
        const { bucketFault } = await import('../src/server/own-services.ts');
        const { guardOf } = await import('../src/outbox/setup.ts');
        return await bucketFault(bucket, secret, { data, guard: guardOf(config) });
      },
    },
    get spamFilter() {
      return absent('spam filter');
    },
    mailboxes: {
      async refuseHost(server) {
        const { mailHostsOf } = await import('../src/outbox/setup.ts');
        return await mailHostsOf(config).refusal(server);
      },
      async try(mailbox) {
        const { mailHostsOf } = await import('../src/outbox/setup.ts');
        const { tryMailbox } = await import('../src/jobs/mailbox-test.ts');
        return await tryMailbox({ desk: data.desk, route: mailHostsOf(config) }, mailbox);
      },
      tryOwn: () => absent('agent who asks'),
      async provider(app) {
        const { mailHostsOf } = await import('../src/outbox/setup.ts');
        return await mailHostsOf(config).provider(app);
      },
    },
    isTrustedProxy: () => false,
    isStopping: () => false,
    cluster: null,
    noteUse: () => absent('credentials'),
    get limits() {
      return absent('rate limits');
    },
    get gates() {
      return absent('gates');
    },
    signIn: {
      get password() {
        return absent('sign-in');
      },
      get oidc() {
        return absent('sign-in');
      },
      async tryIssuer(issuer, clientSecret) {
        const { issuerClient } = await import('../src/server/own-services.ts');
        const { guardOf } = await import('../src/outbox/setup.ts');
        await issuerClient(issuer, clientSecret, guardOf(config)).test();
      },
    },
    get mailroom() {
      return absent('mailroom');
    },
    get recomputer() {
      return absent('recomputer');
    },
    get presence() {
      return absent('presence');
    },
  };
}

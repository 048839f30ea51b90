// An operation: its route, documentation and handler, and the call that the handler gets.

import type * as z from 'zod';
import type { RunningSetting } from '../base/config.ts';
import type { Context } from '../desk/context.ts';
import type { Visit } from '../desk/customers/visits.ts';
import type { Desk } from '../desk/desk.ts';
import type { DeliveryMaterial } from '../desk/outbox/content.ts';
import type { Guesser } from '../desk/people/sign-in-delays.ts';
import type { Ability, Actor } from '../domain/actor.ts';
import type { FindingCode } from '../domain/findings.ts';
import type { MailApp } from '../domain/mail/consent.ts';
import type { MailServer } from '../domain/mail/mailbox.ts';
import type { RecordChecks } from '../domain/mail/sender.ts';
import type { SpamFilter } from '../domain/mail/spam-check.ts';
import type { BucketFault, DomainFault, OwnBucket, OwnIssuer } from '../domain/own-services.ts';
import type { UsedCredential } from '../domain/people/credential-use.ts';
import type { Tx } from '../engine/database.ts';
import type { Sync } from '../engine/writer.ts';
import type { Blobs } from '../files/blobs.ts';
import type { Scanner } from '../files/clamav.ts';
import type { Links } from '../files/links.ts';
import type { Thumbnails } from '../files/thumbnails.ts';
import type { Provider } from '../identity/mailbox-access.ts';
import type { Oidc } from '../identity/oidc.ts';
import type { OidcFault } from '../identity/oidc-fault.ts';
import type { MailboxTrial } from '../jobs/mailbox-test.ts';
import type { Mailroom } from '../jobs/mailroom.ts';
import type { Recomputer } from '../jobs/recompute.ts';
import type { SignedIn } from '../store/people/sessions.ts';
import type { Mailbox } from '../store/sites/catalogue.ts';
import type { Site } from '../store/sites/sites.ts';
import type { Gates } from './body-gates.ts';
import type { ClusterEdge } from './cluster-edge.ts';
import type { Access } from './credentials/access.ts';
import type { RateLimits } from './credentials/rate-limit.ts';
import type { PresenceRegister } from './streams/presence.ts';
import type { Tag } from './wire/api-guide.ts';
import type { Reply } from './wire/respond.ts';
import type { System } from './wire/system.ts';

export interface Issuer {
  /** What the button says. */
  label: string;
  client: Oidc;
  /** Whose users become members. */
  domains: readonly string[];
  /** Writes into the log why a sign-in failed. */
  note: (fault: OidcFault) => void;
}

/** A long command that runs beside the desk, or has ended. `data` is what it answers with --json. */
export interface CommandRun {
  state: 'running' | 'done' | 'failed';
  started_at: string;
  ended_at: string | null;
  data: unknown;
  message: string | null;
}

export type OwnCommand = 'doctor' | 'backup' | 'restore';

export interface OwnCommands {
  last: (name: OwnCommand) => CommandRun | null;
  isRunning: (name: OwnCommand) => boolean;
  /** @param only what of it is repaired; nothing with null */
  doctor: (only: readonly FindingCode[] | null) => CommandRun;
  /** Into a file that is there until the next one. */
  backup: () => CommandRun;
  backupFile: () => string | null;
  /** Of the backup that can be downloaded, or the newest that is still where it was made. Null without one. */
  testRestore: () => CommandRun | null;
}

export interface Edge {
  desk: Desk;
  blobs: Blobs;
  thumbnails: Thumbnails;
  /** Null when files are not checked for viruses. */
  scanner: Scanner | null;
  links: Links;
  limits: RateLimits;
  gates: Gates;
  baseUrl: string;
  inboundDomain: string;
  isTrustedProxy: (address: string) => boolean;
  noteUse: (kind: UsedCredential, id: number) => void;
  isStopping: () => boolean;
  /** What the sign-in page offers. */
  signIn: {
    password: boolean;
    oidc: Issuer | null;
    /** Asks an issuer before it is set. Throws OidcFault. */
    tryIssuer: (issuer: OwnIssuer, clientSecret: string | null) => Promise<void>;
  };
  commands: OwnCommands;
  /** How the last run of each job ended here. */
  jobs: () => System['jobs'];
  /** The disk of the desk, and the newest backup that was made of it. */
  machine: () => Pick<System, 'disk' | 'backup' | 'restore_test'>;
  /** The settings of the environment, with secrets masked. */
  settings: () => RunningSetting[];
  /** For work that no answer waits for. */
  reportFault: (error: unknown, message: string) => void;
  mailroom: Mailroom;
  recomputer: Recomputer;
  /** What a file of settings holds, read in a process of its own. */
  readYaml: (yaml: string) => Promise<unknown>;
  presence: PresenceRegister;
  cluster: ClusterEdge | null;
  /** Why the desk does not send webhooks to this URL; null when it does. */
  refuseDestination: (url: string) => Promise<string | null>;
  /** What DNS says of an address that a site writes from. */
  /** Why no mail for a domain can come; null if it can. */
  mailFault: (domain: string) => Promise<{ reason: DomainFault; message: string } | null>;
  checkRecords: (address: string, selectors: readonly string[], server: string | null) => Promise<RecordChecks>;
  mailboxes: {
    /** Why the desk does not connect to this mail server; null when it does. */
    refuseHost: (server: Pick<MailServer, 'host' | 'port' | 'tls'>) => Promise<string | null>;
    /** @param to who gets its mail; the mailbox itself if it is left out */
    try: (mailbox: Mailbox, to?: string) => Promise<MailboxTrial>;
    /** The server of the desk's own mail. */
    tryOwn: (to: string) => Promise<MailboxTrial>;
    /** The conversation about consent with the provider that the desk is registered at. */
    provider: (app: MailApp) => Promise<Provider>;
  };
  /** Null: none is set. */
  bucket: {
    /** The identity of the data directory; null in a cluster, where owners set no bucket. */
    place: string | null;
    /** What a bucket refuses of what the desk needs; null if nothing. */
    try: (bucket: OwnBucket, secret: string) => Promise<BucketFault | null>;
  };
  spamFilter: SpamFilter | null;
  /** The body of a channel's delivery as the desk would compose it now; null when its source no longer exists. */
  requestBodyOf: (material: DeliveryMaterial) => string | null;
}

export type PartReply = Reply & { isRepeat: boolean };

export interface Call<Query = unknown, Body = unknown> {
  edge: Edge;
  request: Request;
  url: URL;
  actor: Actor;
  site: Site | null;
  session: SignedIn | null;
  /** A customer's, by the cookie of a link. */
  visit: Visit | null;
  guesser: Guesser;
  ctx: Context;
  params: Record<string, string>;
  query: Query;
  body: Body;
  ifMatch: string[] | null;
  header(name: string): string | undefined;
  /** Runs `act` in a write step. With an Idempotency-Key, the answer is stored together with the change. */
  commit(act: (tx: Tx) => Sync<Reply>, fingerprint?: string): Promise<Reply>;
  /** For what comes often: `act` leaves nothing outside the database, because it runs again when a write beside it fails. */
  commitWithOthers(act: (tx: Tx) => Sync<Reply>): Promise<Reply>;
  /** A write step of its own, whose answer is stored with it. For operations with several, which use nothing else. */
  commitPart(part: string, act: (tx: Tx) => Sync<Reply>): Promise<PartReply>;
}

/** `schema` is null when it is not JSON. */
interface Answer<Schema> extends OtherForm {
  status: number;
  description: string;
  schema: Schema;
}

interface OtherForm {
  contentType?: string;
  /** Another type in which it can be asked for. */
  orText?: string;
}

export function answered<Schema>(
  status: number,
  description: string,
  schema: Schema,
  form: OtherForm = {},
): Answer<Schema> {
  return { status, description, schema, ...form };
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export function isWrite({ method, isDryRun, isWritingGet }: Operation): boolean {
  return method === 'GET' ? isWritingGet === true : isDryRun !== true;
}

export interface Operation {
  method: Method;
  path: string;
  id: string;
  tag: Tag;
  summary: string;
  description?: string;
  access: Access;
  ability?: Ability;
  /** A session needs a password or factor that was entered within the last 15 minutes. */
  needsConfirmation?: true;
  /** A session that must first add a second factor can use it. */
  isOpenWithoutFactor?: true;
  /** The body holds a password or code: wrong ones count as failures of the address, which is refused after too many. */
  takesSecret?: true;
  /** The answer holds a session's token, which is not stored for an Idempotency-Key. */
  isNeverRepeated?: true;
  /** It costs next to nothing and is repeated often, so it has the caller's limit for itself, and takes nothing from it. */
  isCountedApart?: true;
  query?: z.ZodObject;
  body?: z.ZodType;
  isBodyOptional?: boolean;
  /** Less than the usual limit. */
  maxBodyBytes?: number;
  isUpload?: boolean;
  /** The answer to a success. */
  answer: Answer<z.ZodType | null>;
  /** Another success. */
  otherAnswer?: Answer<z.ZodType>;
  /** Error statuses other than those that follow from access, query and body. */
  errors?: readonly number[];
  hasEtag?: boolean;
  /** The answer follows only from the caller, the URL and the database, so it is kept until something changes. */
  isKept?: true;
  /** A caller without the ability to read gets only the names of what was changed. */
  isShortWithoutRead?: true;
  /** A GET that changes something, because a browser is sent to it. */
  isWritingGet?: true;
  /** A POST that changes nothing. Any machine of a cluster can answer it. */
  isDryRun?: boolean;
  /** Adds values from the request to a successful answer, without storing them for an Idempotency-Key. */
  complete?(answer: Reply, body: unknown): Reply;
  handle(call: Call): Promise<Reply | Response> | Reply | Response;
}

type Step<Query, Body, Result> = (tx: Tx, call: Call<Query, Body>) => Sync<Result>;

/** What is done: in one write step, in one read, or in more than one step. */
type Deed<Query, Body> =
  | { write: Step<Query, Body, Reply> }
  | { read: Step<Query, Body, Reply | Response> }
  | { handle(call: Call<Query, Body>): ReturnType<Operation['handle']> };

type TypedOperation<Query extends z.ZodObject, Body extends z.ZodType> = Omit<
  Operation,
  'query' | 'body' | 'complete' | 'handle'
> & {
  query?: Query;
  body?: Body;
  complete?(answer: Reply, body: z.output<Body>): Reply;
} & Deed<z.output<Query>, z.output<Body>>;

export function operation<
  Query extends z.ZodObject = z.ZodObject<Record<never, z.ZodType>>,
  Body extends z.ZodType = z.ZodUndefined,
>(typed: TypedOperation<Query, Body>): Operation {
  if ('write' in typed) return { ...typed, handle: (call) => call.commit((tx) => typed.write(tx, call as never)) };
  if ('read' in typed)
    return { ...typed, handle: (call) => call.edge.desk.read((tx) => typed.read(tx, call as never)) };
  return typed;
}

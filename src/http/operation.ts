// An operation: its route, documentation and handler, and the call that the handler gets.

import type * as z from 'zod';
import type { Context } from '../desk/context.ts';
import type { Visit } from '../desk/customer/visits.ts';
import type { Desk } from '../desk/desk.ts';
import type { DeliveryMaterial } from '../desk/outbox/content.ts';
import type { Guesser } from '../desk/people/sign-in-delays.ts';
import type { Ability, Actor } from '../domain/actor.ts';
import type { UsedCredential } from '../domain/credential-use.ts';
import type { Blobs } from '../files/blobs.ts';
import type { Links } from '../files/links.ts';
import type { Oidc, OidcFault } from '../identity/oidc.ts';
import type { Mailroom } from '../jobs/mailroom.ts';
import type { Recomputer } from '../jobs/recompute.ts';
import type { Tx } from '../store/database.ts';
import type { SignedIn } from '../store/sessions.ts';
import type { Site } from '../store/sites.ts';
import type { Sync } from '../store/writer.ts';
import type { Aside } from './aside.ts';
import type { Gates } from './body-gates.ts';
import type { ClusterEdge } from './cluster-edge.ts';
import type { Access } from './credentials/access.ts';
import type { RateLimits } from './credentials/rate-limit.ts';
import type { PresenceRegister } from './live/presence.ts';
import type { Tag } from './wire/api-guide.ts';
import type { Reply } from './wire/respond.ts';

interface Issuer {
  /** What the button says. */
  label: string;
  client: Oidc;
  /** Whose users become members. */
  domains: readonly string[];
  /** Writes into the log why a sign-in failed. */
  note: (fault: OidcFault) => void;
}

export interface Edge {
  desk: Desk;
  blobs: Blobs;
  links: Links;
  limits: RateLimits;
  gates: Gates;
  baseUrl: string;
  inboundDomain: string;
  isTrustedProxy: (address: string) => boolean;
  noteUse: (kind: UsedCredential, id: number) => void;
  isStopping: () => boolean;
  /** What the sign-in page offers, by the settings of this machine. */
  signIn: { password: boolean; oidc: Issuer | null };
  /** Whether mail leaves this machine, and is not only written to files. */
  sendsMail: boolean;
  /** For work that no answer waits for. */
  reportFault: (error: unknown, message: string) => void;
  aside: Aside;
  mailroom: Mailroom;
  recomputer: Recomputer;
  presence: PresenceRegister;
  cluster: ClusterEdge | null;
  /** Why the desk does not send webhooks to this URL; null when it does. */
  refuseDestination: (url: string) => Promise<string | null>;
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
  /** A write step of its own, whose answer is stored with it. For operations with several, which use nothing else. */
  commitPart(part: string, act: (tx: Tx) => Sync<Reply>): Promise<PartReply>;
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
  /** The answer to a success. `schema` is null when it is not JSON. `orText` is another type in which it can be asked for. */
  answer: { status: number; schema: z.ZodType | null; description: string; contentType?: string; orText?: string };
  /** Another success. */
  otherAnswer?: { status: number; schema: z.ZodType; description: string };
  /** Error statuses other than those that follow from access, query and body. */
  errors?: readonly number[];
  hasEtag?: boolean;
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

interface TypedOperation<Query extends z.ZodObject, Body extends z.ZodType>
  extends Omit<Operation, 'query' | 'body' | 'complete' | 'handle'> {
  query?: Query;
  body?: Body;
  complete?(answer: Reply, body: z.output<Body>): Reply;
  handle(call: Call<z.output<Query>, z.output<Body>>): ReturnType<Operation['handle']>;
}

export function operation<
  Query extends z.ZodObject = z.ZodObject<Record<never, z.ZodType>>,
  Body extends z.ZodType = z.ZodUndefined,
>(typed: TypedOperation<Query, Body>): Operation {
  return typed;
}

// What an operation is: its place in the table of routes, its documentation and its work, and what it is given for it.

import type * as z from 'zod';
import type { Desk } from '../desk/desk.ts';
import type { DeliveryMaterial } from '../desk/outbox.ts';
import type { Context } from '../desk/record.ts';
import type { Actor } from '../domain/actor.ts';
import type { Blobs } from '../files/blobs.ts';
import type { Links } from '../files/links.ts';
import type { Mailroom } from '../jobs/mailroom.ts';
import type { Recomputer } from '../jobs/recompute.ts';
import type { Tx } from '../store/database.ts';
import type { Site } from '../store/sites.ts';
import type { Sync } from '../store/writer.ts';
import type { ClusterEdge } from './cluster.ts';
import type { RateLimits } from './credentials/rate-limit.ts';
import type { Gates } from './gate.ts';
import type { Reply } from './wire/respond.ts';

/** What the whole http room works with. */
export interface Edge {
  desk: Desk;
  blobs: Blobs;
  links: Links;
  limits: RateLimits;
  gates: Gates;
  /** The desk's public address, without a slash at the end. */
  baseUrl: string;
  inboundDomain: string;
  isTrustedProxy: (address: string) => boolean;
  /** Notes that a team token was used; written together with others later. */
  noteTokenUse: (tokenId: number) => void;
  isStopping: () => boolean;
  mailroom: Mailroom;
  recomputer: Recomputer;
  /** The other machines; null when there is only this one. */
  cluster: ClusterEdge | null;
  /** Why a webhook may not go to this URL, or null when it may. */
  refuseDestination: (url: string) => Promise<string | null>;
  /** The body that a channel's delivery sends, as it would be composed now; null where that is not possible any more. */
  requestBodyOf: (material: DeliveryMaterial) => string | null;
}

/** One request to an operation. `query` and `body` are what the operation's schemas made of them. */
export interface Call<Query = unknown, Body = unknown> {
  edge: Edge;
  request: Request;
  url: URL;
  actor: Actor;
  /** The site whose token was presented; only on the ingest surface. */
  site: Site | null;
  ctx: Context;
  params: Record<string, string>;
  query: Query;
  body: Body;
  ifMatch: string[] | null;
  header(name: string): string | undefined;
  /**
   * Runs `act` in a write step, under the request's Idempotency-Key when there is one, and answers what it returns.
   * The answer is stored with the change.
   */
  commit(act: (tx: Tx) => Sync<Reply>, fingerprint?: string): Promise<Reply>;
}

export type Access = 'public' | 'site' | 'thread' | 'team' | 'signed' | 'inbound';
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Whether an operation changes anything, and so belongs to the primary where there is more than one machine. */
export function isWrite({ method, isDryRun }: Operation): boolean {
  return method !== 'GET' && isDryRun !== true;
}

export interface Operation {
  method: Method;
  /** With `{name}` for parameters, from the root. */
  path: string;
  id: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** A body that may be left out. */
  isBodyOptional?: boolean;
  /** A multipart body, read by the operation itself. */
  isUpload?: boolean;
  /** The success status and the shape of its JSON; null for an answer without a body. */
  answer: { status: number; schema: z.ZodType | null; description: string; contentType?: string };
  /** Statuses beside those that follow from access, query and body. */
  errors?: readonly number[];
  hasEtag?: boolean;
  /** A POST that only looks: a dry run. Any machine of a cluster may answer it. */
  isDryRun?: boolean;
  /** Adds to a successful answer what it repeats of the request, which is not kept for an Idempotency-Key. */
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

/** An operation whose `handle` gets the types that its schemas have. */
export function operation<
  Query extends z.ZodObject = z.ZodObject<Record<never, z.ZodType>>,
  Body extends z.ZodType = z.ZodUndefined,
>(typed: TypedOperation<Query, Body>): Operation {
  return typed;
}

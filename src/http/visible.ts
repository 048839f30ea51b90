// What a write may show of what it changed: all of it to whoever may read it, else only which thing it was.

import { can } from '../domain/actor.ts';
import type { Call } from './operation.ts';
import { jsonReply, type Reply } from './wire/respond.ts';

const names = ['id', 'ulid', 'reference', 'slug'] as const;

/** Without the ability to read: the names of a thing, by which it can be written to again (docs/spec/api.md#team-tokens). */
export function visible(call: Call, whole: Record<string, unknown>): Record<string, unknown> {
  if (can(call.actor, 'read')) return whole;
  return Object.fromEntries(names.filter((name) => name in whole).map((name) => [name, whole[name]]));
}

/** An answer with the tag of what it shows, where it shows it. */
export function taggedReply(call: Call, status: number, value: unknown, etag: string): Reply {
  return jsonReply(status, value, can(call.actor, 'read') ? { ETag: etag } : {});
}

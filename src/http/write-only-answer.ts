// Answers to writes: the whole resource for callers that can read, otherwise only its names.

import { can } from '../domain/actor.ts';
import type { Call } from './operation.ts';
import { jsonReply, type Reply } from './wire/respond.ts';

const names = ['id', 'ulid', 'reference', 'slug'] as const;

/** Without the ability to read, only the names that address the resource in later writes (docs/spec/api.md#team-tokens). */
export function visible(call: Call, whole: Record<string, unknown>): Record<string, unknown> {
  if (can(call.actor, 'read')) return whole;
  return Object.fromEntries(names.filter((name) => name in whole).map((name) => [name, whole[name]]));
}

export function taggedReply(call: Call, status: number, value: unknown, etag: string): Reply {
  return jsonReply(status, value, can(call.actor, 'read') ? { ETag: etag } : {});
}

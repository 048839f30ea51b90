// Answers to writes: the whole resource for callers that can read, otherwise only its names.

import * as z from 'zod';
import { can } from '../domain/actor.ts';
import type { Call } from './operation.ts';
import { jsonReply, type Reply } from './wire/respond.ts';

const names = ['id', 'ulid', 'reference', 'slug'] as const;

/** Without the ability to read, only the names that address the resource in later writes (docs/spec/api.md#team-tokens). */
export function visible(call: Call, whole: Record<string, unknown>): Record<string, unknown> {
  if (can(call.actor, 'read')) return whole;
  return Object.fromEntries(names.filter((name) => name in whole).map((name) => [name, whole[name]]));
}

/** The shape of an answer with only the names of what it shows, and its other parts as they are. */
export function shortOf(answer: z.ZodType): z.ZodType {
  if (!(answer instanceof z.ZodObject)) return answer;
  const parts = Object.entries(answer.shape as Record<string, z.ZodType>);
  return z.strictObject(Object.fromEntries(parts.map(([name, part]) => [name, namesIn(part)])));
}

function namesIn(part: z.ZodType): z.ZodType {
  if (part instanceof z.ZodArray) return z.array(namesIn(part.element as z.ZodType));
  if (!(part instanceof z.ZodObject)) return part;
  const shape = part.shape as Record<string, z.ZodType>;
  // A new secret is shown to the caller who made it.
  const kept = [...names, 'signing_secret'].flatMap((name) => (shape[name] ? [[name, shape[name]] as const] : []));
  return z.strictObject(Object.fromEntries(kept));
}

export function taggedReply(call: Call, status: number, value: unknown, etag: string): Reply {
  return jsonReply(status, value, can(call.actor, 'read') ? { ETag: etag } : {});
}

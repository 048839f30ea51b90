// What the desk knows about a setting: its schema, its default, what it means and whether it is a secret.

import type * as z from 'zod';

export interface Entry<Value> {
  schema: z.ZodType<Value, string>;
  /** As written in the environment; empty for none. */
  default: string;
  meaning: string;
  isSecret?: boolean;
}

export function entry<Value>(
  schema: z.ZodType<Value, string>,
  fallback: string,
  meaning: string,
  isSecret = false,
): Entry<Value> {
  return { schema, default: fallback, meaning, isSecret };
}

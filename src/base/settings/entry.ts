// The description of a setting: its schema, its default, what it means and whether it is a secret.

import type * as z from 'zod';

export interface Entry<Value> {
  schema: z.ZodType<Value, string>;
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

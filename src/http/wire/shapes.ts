// Parts of the shapes of answers: the types of fields, the envelopes and the error (docs/spec/api.md#conventions).

import * as z from 'zod';

export const time = () => z.iso.datetime().meta({ examples: ['2026-09-11T09:30:00.000Z'] });

export const maybeTime = () => time().nullable();

export const ulid = () =>
  z
    .string()
    .length(26)
    .meta({ examples: ['01K4VJ8Q4N7RM2ZC6B0T3XWYDE'] });

export const id = () => z.int().positive();

export const description = () => z.string().nullable();

export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  return schema.meta({ id: name });
}

export const errorShape = named(
  'Error',
  z.object({
    message: z.string(),
    code: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
    attempts_left: z.int().optional().meta({ description: 'Only of a wrong code.' }),
    request_id: z.string(),
  }),
);

export function one<Schema extends z.ZodType>(schema: Schema) {
  return z.object({ data: schema });
}

export function page<Schema extends z.ZodType>(
  schema: Schema,
  { hasCursor = false, hasCap = false, hasNewestSeq = false } = {},
) {
  const meta = { current_page: z.int(), last_page: z.int(), per_page: z.int(), total: z.int() };
  return z.object({
    data: z.array(schema),
    links: z.object({
      first: z.string().nullable(),
      last: z.string().nullable(),
      prev: z.string().nullable(),
      next: z.string().nullable(),
    }),
    meta: z.object({
      ...meta,
      ...(hasCursor ? { next_cursor: z.string().nullable() } : {}),
      ...(hasCap || hasCursor ? { is_capped: z.boolean() } : {}),
      ...(hasNewestSeq ? { newest_seq: z.int() } : {}),
    }),
  });
}

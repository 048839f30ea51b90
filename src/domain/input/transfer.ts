// The lines of an export as an import reads them. The file is untrusted.

import * as z from 'zod';
import { transferVersion } from '../transfer/transfer.ts';
import { flag, instant, sha256, text, ulid } from './transfer-parts.ts';
import {
  agent,
  category,
  channel,
  field,
  macro,
  mailTemplate,
  priority,
  recurringTicket,
  rule,
  sender,
  site,
  slaPolicy,
  team,
  timedRule,
  token,
  trigger,
} from './transfer-setup.ts';
import {
  attachment,
  author,
  delivery,
  event,
  interval,
  mail,
  merge,
  message,
  participant,
  scheduledReply,
  sideConversation,
  split,
  suppression,
  ticket,
} from './transfer-tickets.ts';

const head = z.strictObject({
  type: z.literal('helpdesk-export'),
  version: z.int().min(1).max(transferVersion),
  export: ulid,
  exported_at: instant,
  helpdesk: text(32),
  has_secrets: flag,
});

export const maxChunkBytes = 192 * 1024;
const file = z.strictObject({
  type: z.literal('file'),
  of: z.enum(['attachment', 'mail']),
  ulid,
  size: z.int().min(0).max(1_000_000_000),
  sha256,
  is_missing: flag,
});
const bytes = z.strictObject({
  type: z.literal('bytes'),
  data: z
    .string()
    .max((maxChunkBytes * 4) / 3 + 4)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, { error: 'must be base64.' }),
});
const fileEnd = z.strictObject({ type: z.literal('file_end') });

const end = z.strictObject({
  type: z.literal('end'),
  lines: z.int().min(0),
  counts: z.record(z.string(), z.int().min(0)),
  sha256,
});

const transferRow = z.discriminatedUnion('type', [
  site,
  category,
  priority,
  field,
  sender,
  mailTemplate,
  agent,
  team,
  slaPolicy,
  channel,
  rule,
  trigger,
  timedRule,
  recurringTicket,
  token,
  macro,
  author,
  ticket,
  participant,
  message,
  scheduledReply,
  attachment,
  sideConversation,
  merge,
  split,
  event,
  interval,
  delivery,
  mail,
  suppression,
]);
export const transferLine = z.discriminatedUnion('type', [head, ...transferRow.options, file, bytes, fileEnd, end]);

export type TransferRow = z.output<typeof transferRow>;
export type TransferLine = z.output<typeof transferLine>;
export type RowOf<Type extends TransferLine['type']> = Extract<TransferLine, { type: Type }>;

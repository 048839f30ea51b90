// The machine that the desk runs on, on the wire (docs/spec/people.md#the-system).

import * as z from 'zod';
import { settingSources } from '../../base/config.ts';
import { deliveryStatuses } from '../../domain/outbox/delivery.ts';
import { maybeTime, named, time } from './shapes.ts';

export const settingShape = named(
  'EnvironmentSetting',
  z.object({
    name: z.string(),
    value: z.string().meta({ description: 'Masked where it is a secret.' }),
    source: z.enum(settingSources).meta({ description: 'Where the value came from when the desk started.' }),
    meaning: z.string(),
  }),
);
export type EnvironmentSetting = z.output<typeof settingShape>;

export const issuerTrialShape = z.object({
  is_configured: z.boolean(),
  is_working: z.boolean(),
  message: z.string().nullable().meta({ description: 'Why it does not work.' }),
});
export type IssuerTrial = z.output<typeof issuerTrialShape>;

export const outgoingShape = named(
  'Outgoing',
  z.object({
    id: z.int(),
    event: z.string(),
    status: z.enum(deliveryStatuses),
    site_id: z.int().nullable(),
    ticket_id: z.int().nullable(),
    channel_id: z.int().nullable(),
    channel_name: z.string().nullable().meta({ description: 'Of a webhook.' }),
    recipient: z.string().nullable().meta({ description: 'Of a mail.' }),
    attempts: z.int(),
    last_error: z.string().nullable(),
    next_attempt_at: maybeTime().meta({ description: 'Null while an earlier one of its ticket waits.' }),
    finished_at: maybeTime(),
    created_at: time(),
  }),
);
export type Outgoing = z.output<typeof outgoingShape>;

const runShape = <Data extends z.ZodType>(data: Data) =>
  z
    .object({
      state: z.enum(['running', 'done', 'failed']),
      started_at: time(),
      ended_at: maybeTime(),
      data: data.nullable().meta({ description: 'What the command answers with --json.' }),
      message: z.string().nullable().meta({ description: 'Why it failed.' }),
    })
    .nullable();

export const serviceTrialShape = named(
  'ServiceTrial',
  z.object({ is_set: z.boolean(), is_up: z.boolean(), milliseconds: z.int(), message: z.string().nullable() }),
);
export type ServiceTrial = z.output<typeof serviceTrialShape>;

export const releaseShape = named(
  'Release',
  z.object({
    title: z.string(),
    groups: z.array(z.object({ title: z.string(), lines: z.array(z.string()) })),
  }),
);

const queueShape = z.object({ queued: z.int(), oldest_due_seconds: z.number() });

export const systemShape = named(
  'System',
  z.object({
    version: z.string(),
    schema: z.int(),
    trouble: z.string().nullable().meta({ description: 'Why the database cannot be used now.' }),
    disk: z.object({ free_bytes: z.int(), used_share: z.number() }),
    database: z.object({ bytes: z.int(), free_bytes: z.int(), log_bytes: z.int() }),
    backup: z.object({ at: time(), path: z.string(), bytes: z.int() }).nullable(),
    restore_test: z
      .object({ at: time(), path: z.string(), created_at: time(), tickets: z.int(), seconds: z.number() })
      .nullable()
      .meta({ description: 'When a backup, made at created_at, was last proven to be restorable.' }),
    file_bytes: z
      .int()
      .nullable()
      .meta({ description: 'Attachments, counted once a day. Null before the first time.' }),
    growth: z
      .object({
        days: z.int(),
        database_bytes_a_day: z.int(),
        file_bytes_a_day: z.int(),
        full_at: maybeTime().meta({
          description: 'When the disk is full at this pace. Null if its free room does not shrink.',
        }),
      })
      .nullable()
      .meta({ description: 'Over up to 30 days. Null until there are figures of two days.' }),
    version_since: maybeTime(),
    previous_version: z.string().nullable(),
    outbox: z.object({
      mail: queueShape,
      webhook: queueShape,
      failed: z.int().meta({ description: 'Counted up to 1000.' }),
    }),
    unfiled_mail: z.int(),
    mailboxes: z.array(
      z.object({ id: z.int(), site_id: z.int(), name: z.string(), state: z.string(), looked_at: maybeTime() }),
    ),
    cluster: z
      .object({
        role: z.string(),
        host: z.string().meta({ description: 'This machine.' }),
        primary: z.string().nullable().meta({ description: 'Another machine that is it.' }),
        lag_ms: z.number().nullable(),
        replicas: z
          .array(z.object({ host: z.string(), version: z.string(), lag_ms: z.number().nullable(), heard_at: time() }))
          .meta({ description: 'That asked this machine for the primary within a day. Each asks every few seconds.' }),
        former_primaries: z.array(z.string()).meta({ description: 'Other machines that are known to have been it.' }),
      })
      .nullable()
      .meta({ description: 'Null for a single machine.' }),
    jobs: z
      .array(z.object({ name: z.string(), ended_at: time(), ms: z.int(), error: z.string().nullable() }))
      .meta({ description: 'The last run of each job of this machine since the desk started; error if it failed.' }),
    can_download_backup: z.boolean(),
    last_doctor: runShape(
      z.object({
        is_sound: z.boolean(),
        findings: z.array(
          z.object({
            code: z.string(),
            level: z.enum(['wrong', 'notice']),
            meaning: z.string(),
            count: z.int(),
            fixed: z.int(),
            can_fix: z.boolean(),
            run: z.string().nullable().meta({ description: 'The command that helps, where fix does not.' }),
            examples: z.array(z.string()),
          }),
        ),
      }),
    ),
    last_restore_test: runShape(
      z.object({ created_at: time(), tickets: z.int(), files: z.int(), seconds: z.number() }),
    ),
    last_backup: runShape(z.object({ path: z.string(), bytes: z.int(), unsound: z.array(z.string()) })),
  }),
);
export type System = z.output<typeof systemShape>;

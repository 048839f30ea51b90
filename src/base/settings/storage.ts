// Settings of storage: file links, metrics, snapshots, safety of writes and the secret key.

import * as z from 'zod';
import { entry } from './entry.ts';
import { duration, optional } from './values.ts';

export const storageSettings = {
  HELPDESK_ATTACHMENT_URL_TTL: entry(duration, '15m', 'How long a signed link to an attachment is valid.'),
  HELPDESK_METRICS_TOKEN: entry(
    optional.refine((token) => token === null || /^[\x21-\x7e]{16,}$/.test(token), {
      error: '16 or more visible ASCII characters',
    }),
    '',
    'The bearer token for /metrics; without one, only this machine can read them.',
    true,
  ),
  HELPDESK_SNAPSHOT_EVERY: entry(duration, '1h', 'How often a snapshot of the database is saved in backups/.'),
  HELPDESK_SNAPSHOT_KEEP: entry(
    z
      .string()
      .regex(/^[1-9]\d{0,3}$/, { error: 'a whole number from 1 to 9999' })
      .transform(Number),
    '24',
    'How many snapshots to keep, at least two.',
  ),
  HELPDESK_AUDIT_KEEP: entry(duration, '400d', 'How long the rows of the audit log are kept.'),
  HELPDESK_SYNCHRONOUS: entry(
    z.enum(['FULL', 'NORMAL', 'OFF', 'EXTRA'], { error: 'FULL, EXTRA, NORMAL or OFF' }),
    'FULL',
    'SQLite synchronous mode. Below FULL, a power cut can lose writes that were already answered.',
  ),
  HELPDESK_SECRET_KEY: entry(
    optional.refine((key) => key === null || Buffer.from(key, 'base64').length >= 32, {
      error: '32 random bytes in base64',
    }),
    '',
    'The key that encrypts secrets and signs links; by default it is in secret.key in the data directory.',
    true,
  ),
};

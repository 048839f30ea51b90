// Settings of storage: file links, metrics, snapshots, safety of writes and the secret key.

import * as z from 'zod';
import { entry } from './entry.ts';
import { duration, optional } from './values.ts';

function isSocket(address: string): boolean {
  if (address.startsWith('/')) return !address.includes('\0') && Buffer.byteLength(address) <= longestSocketPath;
  const [, port] = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\]):(\d{1,5})$/i.exec(address) ?? [];
  return Number(port) >= 1 && Number(port) <= 65535;
}

function isServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && search === '' && hash === '';
}

// Of the systems that the desk runs on, the least is 104 with the end of the text.
const longestSocketPath = 103;

export const storageSettings = {
  HELPDESK_ATTACHMENT_URL_TTL: entry(duration, '15m', 'How long a signed link to an attachment is valid.'),
  HELPDESK_CLAMAV: entry(
    optional.refine((address) => address === null || isSocket(address), {
      error: 'the path of a socket such as /run/clamav/clamd.ctl, or host:port',
    }),
    '',
    'The socket of clamd, a path or host:port, which checks files for viruses; without one, files are not checked.',
  ),
  HELPDESK_RSPAMD_URL: entry(
    optional.refine((url) => url === null || isServer(url), { error: 'a URL such as http://127.0.0.1:11333' }),
    '',
    'The normal worker of rspamd, which scores mail that arrives; without one, only scores in the mail count.',
  ),
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

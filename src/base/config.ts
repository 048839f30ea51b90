// The environment, read once: one schema whose entries carry name, default and meaning (docs/spec/cli.md#environment).

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import * as z from 'zod';

interface Entry<Value> {
  schema: z.ZodType<Value, string>;
  /** As it would be written in the environment; empty: none. */
  default: string;
  meaning: string;
  isSecret?: boolean;
}

function entry<Value>(
  schema: z.ZodType<Value, string>,
  fallback: string,
  meaning: string,
  isSecret = false,
): Entry<Value> {
  return { schema, default: fallback, meaning, isSecret };
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `15m` in milliseconds; null when it is no duration. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  return match ? Number(match[1]) * units[match[2] as keyof typeof units] : null;
}

const duration = z.string().transform((text, check) => {
  const ms = parseDuration(text);
  if (ms === null || ms < 1) {
    check.addIssue({ code: 'custom', message: 'a duration as 10s, 15m, 1h or 7d' });
    return z.NEVER;
  }
  return ms;
});

const perMinute = z
  .string()
  .regex(/^\d{1,9}$/, { error: 'a whole number; 0 turns the limit off' })
  .transform(Number);

function isAddressOrCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

const words = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '');

/** A slash, question or hash mark that was meant for the password would end the host before its time. */
function isMailServer(text: string): boolean {
  if (!/^smtps?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  const { pathname, search, hash } = new URL(text);
  return (pathname === '' || pathname === '/') && !search.includes('@') && hash === '';
}

const optional = z.string().transform((text) => (text === '' ? null : text));

const origin = z.string().transform((text, check) => {
  if (text === '') return null;
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol)) {
    check.addIssue({ code: 'custom', message: 'an http or https address as https://desk.example.org' });
    return z.NEVER;
  }
  return text.replace(/\/+$/, '');
});

const peerTemplate = z.string().transform((text, check) => {
  const isTemplate = text.split('{hostname}').length === 2;
  const example = text.replace('{hostname}', '1');
  if (!isTemplate || !URL.canParse(example) || !['http:', 'https:'].includes(new URL(example).protocol)) {
    check.addIssue({
      code: 'custom',
      message: 'an http or https address with {hostname} in it, as http://{hostname}:8080',
    });
    return z.NEVER;
  }
  return text.replace(/\/+$/, '');
});

/** Every variable, in the order in which `helpdesk config` and docs/configuration.md show them. */
export const entries = {
  HELPDESK_DATA: entry(
    z.string().min(1, { error: 'a path' }),
    './data',
    'The data directory: everything the desk owns is under it.',
  ),
  HELPDESK_HOST: entry(
    z.string().min(1, { error: 'an address to listen on' }),
    '127.0.0.1',
    'The address to listen on.',
  ),
  HELPDESK_PORT: entry(
    z
      .string()
      .regex(/^\d{1,5}$/, { error: 'a port from 0 to 65535' })
      .transform(Number)
      .refine((port) => port <= 65535, { error: 'a port from 0 to 65535' }),
    '8080',
    'The port to listen on; 0 takes a free one.',
  ),
  HELPDESK_BASE_URL: entry(
    origin,
    '',
    'The address under which others reach the desk, for links; by default the one it listens on.',
  ),
  HELPDESK_INBOUND_DOMAIN: entry(
    z.string().regex(/^$|^[a-z0-9.-]{1,253}$/i, { error: 'a domain name' }),
    '',
    'The domain of the addresses that customers answer to, ticket+…@domain; by default the host of the base URL.',
  ),
  HELPDESK_TRUSTED_PROXIES: entry(
    z
      .string()
      .transform(words)
      .refine((list) => list.every(isAddressOrCidr), { error: 'addresses or CIDRs, separated by commas' }),
    '',
    'Addresses or CIDRs of proxies whose X-Forwarded-For is believed.',
  ),
  HELPDESK_LOG_LEVEL: entry(
    z.enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'debug, info, warn, error or silent' }),
    'info',
    'What is logged: debug, info, warn, error or silent.',
  ),
  HELPDESK_LOG_FORMAT: entry(
    z.enum(['auto', 'pretty', 'json'], { error: 'auto, pretty or json' }),
    'auto',
    'pretty or json; auto is pretty on a terminal and json otherwise.',
  ),
  HELPDESK_RATE_INGEST_CALLER: entry(perMinute, '30', 'Ingest requests a minute for each calling address; 0 is off.'),
  HELPDESK_RATE_INGEST_SITE: entry(perMinute, '120', 'Ingest requests a minute for each site; 0 is off.'),
  HELPDESK_RATE_OTHER: entry(
    perMinute,
    '60',
    'Other requests a minute for each token, or each address without one; 0 is off.',
  ),
  HELPDESK_RATE_INBOUND: entry(perMinute, '60', 'Inbound mail requests a minute for each secret; 0 is off.'),
  HELPDESK_RATE_INBOUND_SENDER: entry(
    perMinute,
    '30',
    'Messages a minute of one sender to one site that are filed as they come; more wait for their turn. 0 is off.',
  ),
  HELPDESK_RATE_AUTH_FAILURES: entry(
    perMinute,
    '10',
    'Requests with an unknown credential a minute for each address; 0 is off.',
  ),
  HELPDESK_MAIL_FROM: entry(
    z
      .string()
      .max(254)
      .regex(/^$|^[^\s@"<>()[\]\\,;:\p{C}]+@[a-z0-9_](?:-*[a-z0-9_])*(?:\.[a-z0-9_](?:-*[a-z0-9_])*)*$/iu, {
        error: 'an e-mail address',
      }),
    '',
    'The sender of mail for sites that have none of their own; by default helpdesk@ the inbound domain.',
  ),
  HELPDESK_SMTP_URL: entry(
    optional.refine((url) => url === null || isMailServer(url), {
      error: 'smtp://user:password@host:587 or smtps://user:password@host:465, with / ? # in a password as %2F %3F %23',
    }),
    '',
    'The mail server to send through; with none, mail is written as .eml files under mail/ in the data directory.',
    true,
  ),
  HELPDESK_WEBHOOK_ALLOW: entry(
    z.string(),
    '',
    'CIDRs, addresses and hosts that webhooks may reach although they are not public, as 10.0.0.0/8, receiver.lan:8443.',
  ),
  HELPDESK_WEBHOOK_RETRY_DELAYS: entry(
    z.string().transform(words).pipe(z.array(duration).max(20)),
    '10s,1m,5m',
    'How long to wait before each retry of a webhook: as many retries as delays.',
  ),
  HELPDESK_WEBHOOK_TIMEOUT: entry(duration, '10s', 'How long a try of a webhook may take.'),
  HELPDESK_ATTACHMENT_URL_TTL: entry(duration, '15m', 'How long a signed link to an attachment lives.'),
  HELPDESK_METRICS_TOKEN: entry(
    optional.refine((token) => token === null || /^[\x21-\x7e]{16,}$/.test(token), {
      error: '16 or more visible ASCII characters',
    }),
    '',
    'Opens /metrics to whoever sends it as a bearer token; without one only this machine itself may read them.',
    true,
  ),
  HELPDESK_SNAPSHOT_EVERY: entry(duration, '1h', 'How often a snapshot of the database is taken into backups/.'),
  HELPDESK_SNAPSHOT_KEEP: entry(
    z
      .string()
      .regex(/^[1-9]\d{0,3}$/, { error: 'a whole number from 1 to 9999' })
      .transform(Number),
    '24',
    'How many snapshots are kept; never fewer than two.',
  ),
  HELPDESK_SYNCHRONOUS: entry(
    z.enum(['FULL', 'NORMAL', 'OFF', 'EXTRA'], { error: 'FULL, EXTRA, NORMAL or OFF' }),
    'FULL',
    'SQLite synchronous mode; with anything below FULL a power cut can lose answered writes.',
  ),
  HELPDESK_SECRET_KEY: entry(
    optional.refine((key) => key === null || Buffer.from(key, 'base64').length >= 32, {
      error: '32 random bytes in base64',
    }),
    '',
    'The key that seals secrets and signs links; by default kept in secret.key in the data directory.',
    true,
  ),
  HELPDESK_LITEFS_DIR: entry(
    optional,
    '',
    'The mount of LiteFS, where the database lies when there is more than one machine (docs/cluster.md).',
  ),
  HELPDESK_LITEFS_URL: entry(
    origin.refine((url) => url !== null, { error: 'an http address as http://127.0.0.1:20202' }).transform(String),
    'http://127.0.0.1:20202',
    'Where LiteFS answers on this machine.',
  ),
  HELPDESK_PEER_URL: entry(
    peerTemplate,
    'http://{hostname}:8080',
    'Where the machines of a cluster reach one another; {hostname} is the name that LiteFS gives the primary.',
  ),
  HELPDESK_S3_ENDPOINT: entry(
    origin,
    '',
    'The address of an S3-compatible store for files, instead of the data directory; needs the four below.',
  ),
  HELPDESK_S3_BUCKET: entry(
    optional.refine((name) => name === null || /^[A-Za-z0-9._-]{1,255}$/.test(name), { error: 'the name of a bucket' }),
    '',
    'The bucket for files.',
  ),
  HELPDESK_S3_REGION: entry(
    optional.refine((name) => name === null || /^[A-Za-z0-9-]{1,64}$/.test(name), { error: 'the name of a region' }),
    '',
    'The region of the bucket; stores that know none take us-east-1 or auto.',
  ),
  HELPDESK_S3_ACCESS_KEY_ID: entry(
    optional,
    '',
    'The key id that may read, write, list and delete in the bucket.',
    true,
  ),
  HELPDESK_S3_SECRET_ACCESS_KEY: entry(optional, '', 'The secret of that key.', true),
} satisfies Record<string, Entry<unknown>>;

type Entries = typeof entries;
export type ConfigName = keyof Entries;
export type Config = { [Name in ConfigName]: Entries[Name] extends Entry<infer Value> ? Value : never };

/** The environment does not fit; the message names each variable at fault and says what it takes. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

type Environment = Record<string, string | undefined>;

function rawValue(environment: Environment, name: string): string | undefined {
  const file = environment[`${name}_FILE`];
  if (file === undefined || file === '') return environment[name];
  if (environment[name] !== undefined) throw new ConfigError(`Set either ${name} or ${name}_FILE, not both.`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(`${name}_FILE names ${file}, which cannot be read.`);
  }
}

/**
 * Reads and checks the environment.
 * @param overrides values that a command line flag gives, under the variable's name
 */
export function readConfig(
  overrides: Partial<Record<ConfigName, string>> = {},
  environment: Environment = process.env,
): Config {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, { schema, default: fallback }] of Object.entries(entries) as [ConfigName, Entry<unknown>][]) {
    const raw = overrides[name] ?? rawValue(environment, name);
    const parsed = schema.safeParse(raw === undefined || raw === '' ? fallback : raw);
    if (parsed.success) values[name] = parsed.data;
    else faults.push(`${name} must be ${parsed.error.issues[0]?.message ?? 'something else'}.`);
  }
  if (faults.length > 0) throw new ConfigError(faults.join(' '));
  const config = values as Config;
  requireWhole(config);
  return config;
}

const s3Names = [
  'HELPDESK_S3_ENDPOINT',
  'HELPDESK_S3_BUCKET',
  'HELPDESK_S3_REGION',
  'HELPDESK_S3_ACCESS_KEY_ID',
  'HELPDESK_S3_SECRET_ACCESS_KEY',
] as const satisfies readonly ConfigName[];

/** Refuses what only makes sense together and is not all there. */
function requireWhole(config: Config): void {
  const missing = s3Names.filter((name) => config[name] === null);
  if (missing.length > 0 && missing.length < s3Names.length) {
    throw new ConfigError(
      `The store for files is set in part: ${missing.join(', ')} must be set too, or none of them.`,
    );
  }
  const { HELPDESK_LITEFS_DIR: mount, HELPDESK_DATA: data } = config;
  if (mount === null) return;
  if (config.HELPDESK_SECRET_KEY === null) {
    throw new ConfigError(
      'HELPDESK_LITEFS_DIR needs HELPDESK_SECRET_KEY, the same on every machine: what one of them seals, the others must be able to read.',
    );
  }
  if (`${resolve(data)}/`.startsWith(`${resolve(mount)}/`)) {
    throw new ConfigError(
      'HELPDESK_DATA must lie outside of HELPDESK_LITEFS_DIR: the mount takes databases and nothing else.',
    );
  }
}

/** Each variable with its effective value, secrets masked: `helpdesk config`. */
export function describeConfig(
  overrides: Partial<Record<ConfigName, string>> = {},
  environment: Environment = process.env,
): { name: ConfigName; value: string; default: string; meaning: string; isSet: boolean }[] {
  return (Object.entries(entries) as [ConfigName, Entry<unknown>][]).map(
    ([name, { default: fallback, meaning, isSecret }]) => {
      const raw = overrides[name] ?? rawValue(environment, name);
      const isSet = raw !== undefined && raw !== '';
      const value = isSet ? (isSecret ? '********' : raw) : fallback;
      return { name, value, default: fallback, meaning, isSet };
    },
  );
}

/** Whether this process runs on a machine of Fly, behind Fly's proxy. */
export function isOnFly(environment: Environment = process.env): boolean {
  return (environment.FLY_APP_NAME ?? '') !== '' && (environment.FLY_MACHINE_ID ?? '') !== '';
}

/** Whether what is printed may carry colour: only on a terminal, and not against NO_COLOR. */
export function isColourWanted(isTerminal: boolean | undefined): boolean {
  return isTerminal === true && (process.env.NO_COLOR ?? '') === '';
}

/** Where a browser on this machine finds what listens on a host and port. */
export function localUrl(host: string, port: number): string {
  const isEverywhere = ['0.0.0.0', '::'].includes(host);
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What a process of the desk's own needs of the environment: where programs and temporary files are, and no secret. */
export function childEnvironment(environment: Environment = process.env): Record<string, string> {
  const names = ['PATH', 'TZ', 'LANG', 'TMPDIR', 'TEMP', 'SystemRoot'];
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

// The settings: every environment variable with its schema, default and meaning (docs/spec/cli.md#environment).

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import * as z from 'zod';

interface Entry<Value> {
  schema: z.ZodType<Value, string>;
  /** As written in the environment; empty for none. */
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

/** Milliseconds of a duration such as `15m`; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  return match ? Number(match[1]) * units[match[2] as keyof typeof units] : null;
}

const duration = z.string().transform((text, check) => {
  const ms = parseDuration(text);
  if (ms === null || ms < 1) {
    check.addIssue({ code: 'custom', message: 'a duration such as 10s, 15m, 1h or 7d' });
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

/** An unescaped / ? or # in the password would end the host too early. */
function isMailServer(text: string): boolean {
  if (!/^smtps?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  const { pathname, search, hash } = new URL(text);
  return (pathname === '' || pathname === '/') && !search.includes('@') && hash === '';
}

const optional = z.string().transform((text) => (text === '' ? null : text));

const origin = z.string().transform((text, check) => {
  if (text === '') return null;
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol)) {
    check.addIssue({ code: 'custom', message: 'an http or https address such as https://desk.example.org' });
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
      message: 'an http or https address with {hostname} in it, such as http://{hostname}:8080',
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
    'The data directory, which holds everything that the desk stores.',
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
    'The port to listen on; 0 picks a free one.',
  ),
  HELPDESK_BASE_URL: entry(
    origin,
    '',
    'The public address of the desk, used in links; by default the address that it listens on.',
  ),
  HELPDESK_INBOUND_DOMAIN: entry(
    z.string().regex(/^$|^[a-z0-9.-]{1,253}$/i, { error: 'a domain name' }),
    '',
    'The domain of the addresses that customers reply to, ticket+…@domain; by default the host of the base URL.',
  ),
  HELPDESK_TRUSTED_PROXIES: entry(
    z
      .string()
      .transform(words)
      .refine((list) => list.every(isAddressOrCidr), { error: 'addresses or CIDRs, separated by commas' }),
    '',
    'Addresses or CIDRs of proxies whose X-Forwarded-For header is trusted.',
  ),
  HELPDESK_LOG_LEVEL: entry(
    z.enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'debug, info, warn, error or silent' }),
    'info',
    'The least severe messages to log: debug, info, warn or error; silent logs nothing.',
  ),
  HELPDESK_LOG_FORMAT: entry(
    z.enum(['auto', 'pretty', 'json'], { error: 'auto, pretty or json' }),
    'auto',
    'The log format, pretty or json; auto is pretty on a terminal and json elsewhere.',
  ),
  HELPDESK_RATE_INGEST_CALLER: entry(
    perMinute,
    '30',
    'Ingest requests per minute from each client address; 0 means no limit.',
  ),
  HELPDESK_RATE_INGEST_SITE: entry(perMinute, '120', 'Ingest requests per minute for each site; 0 means no limit.'),
  HELPDESK_RATE_OTHER: entry(
    perMinute,
    '60',
    'Other requests per minute for each token, or for each address without one; 0 means no limit.',
  ),
  HELPDESK_RATE_INBOUND: entry(
    perMinute,
    '60',
    'Inbound mail requests per minute for each inbound secret; 0 means no limit.',
  ),
  HELPDESK_RATE_INBOUND_SENDER: entry(
    perMinute,
    '30',
    'Messages per minute from one sender to one site that are filed at once; further ones wait. 0 means no limit.',
  ),
  HELPDESK_RATE_AUTH_FAILURES: entry(
    perMinute,
    '10',
    'Requests with an unknown credential per minute from each address; 0 means no limit.',
  ),
  HELPDESK_MAIL_FROM: entry(
    z
      .string()
      .max(254)
      .regex(/^$|^[^\s@"<>()[\]\\,;:\p{C}]+@[a-z0-9_](?:-*[a-z0-9_])*(?:\.[a-z0-9_](?:-*[a-z0-9_])*)*$/iu, {
        error: 'an e-mail address',
      }),
    '',
    'The sender address of mail for sites without their own; by default helpdesk@ followed by the inbound domain.',
  ),
  HELPDESK_SMTP_URL: entry(
    optional.refine((url) => url === null || isMailServer(url), {
      error: 'smtp://user:password@host:587 or smtps://user:password@host:465, with / ? # in a password as %2F %3F %23',
    }),
    '',
    'The mail server to send through; without one, mail is written to mail/ in the data directory as .eml files.',
    true,
  ),
  HELPDESK_WEBHOOK_ALLOW: entry(
    z.string(),
    '',
    'Private CIDRs, addresses and hosts that webhooks can reach, such as 10.0.0.0/8, receiver.lan:8443.',
  ),
  HELPDESK_WEBHOOK_RETRY_DELAYS: entry(
    z.string().transform(words).pipe(z.array(duration).max(20)),
    '10s,1m,5m',
    'The delay before each retry of a webhook; there are as many retries as delays.',
  ),
  HELPDESK_WEBHOOK_TIMEOUT: entry(duration, '10s', 'How long one attempt to deliver a webhook can take.'),
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
  HELPDESK_LITEFS_DIR: entry(optional, '', 'The LiteFS mount that holds the database of a cluster (docs/cluster.md).'),
  HELPDESK_LITEFS_URL: entry(
    origin.refine((url) => url !== null, { error: 'an http address such as http://127.0.0.1:20202' }).transform(String),
    'http://127.0.0.1:20202',
    'The address of LiteFS on this machine.',
  ),
  HELPDESK_PEER_URL: entry(
    peerTemplate,
    'http://{hostname}:8080',
    'Where the machines of a cluster reach one another; {hostname} stands for the name that LiteFS has for the primary.',
  ),
  HELPDESK_S3_ENDPOINT: entry(
    origin,
    '',
    'The address of an S3-compatible store for files, instead of the data directory; requires the four settings below.',
  ),
  HELPDESK_S3_BUCKET: entry(
    optional.refine((name) => name === null || /^[A-Za-z0-9._-]{1,255}$/.test(name), { error: 'the name of a bucket' }),
    '',
    'The bucket for files.',
  ),
  HELPDESK_S3_REGION: entry(
    optional.refine((name) => name === null || /^[A-Za-z0-9-]{1,64}$/.test(name), { error: 'the name of a region' }),
    '',
    'The region of the bucket; stores without regions take us-east-1 or auto.',
  ),
  HELPDESK_S3_ACCESS_KEY_ID: entry(
    optional,
    '',
    'The id of a key that can read, write, list and delete in the bucket.',
    true,
  ),
  HELPDESK_S3_SECRET_ACCESS_KEY: entry(optional, '', 'The secret of that key.', true),
} satisfies Record<string, Entry<unknown>>;

type Entries = typeof entries;
export type ConfigName = keyof Entries;
export type Config = { [Name in ConfigName]: Entries[Name] extends Entry<infer Value> ? Value : never };

/** The message names each invalid variable and what it must be. */
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
    throw new ConfigError(`${name}_FILE points to ${file}, which cannot be read.`);
  }
}

/**
 * @param overrides values of command line flags, by the variable that they replace
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
    else faults.push(`${name} must be ${parsed.error.issues[0]?.message ?? 'another value'}.`);
  }
  if (faults.length > 0) throw new ConfigError(faults.join(' '));
  const config = values as Config;
  requireComplete(config);
  return config;
}

const s3Names = [
  'HELPDESK_S3_ENDPOINT',
  'HELPDESK_S3_BUCKET',
  'HELPDESK_S3_REGION',
  'HELPDESK_S3_ACCESS_KEY_ID',
  'HELPDESK_S3_SECRET_ACCESS_KEY',
] as const satisfies readonly ConfigName[];

/** Refuses settings that are only valid together. */
function requireComplete(config: Config): void {
  const missing = s3Names.filter((name) => config[name] === null);
  if (missing.length > 0 && missing.length < s3Names.length) {
    throw new ConfigError(`The S3 settings are incomplete: set ${missing.join(', ')} too, or none of them.`);
  }
  const { HELPDESK_LITEFS_DIR: mount, HELPDESK_DATA: data } = config;
  if (mount === null) return;
  if (config.HELPDESK_SECRET_KEY === null) {
    throw new ConfigError(
      'HELPDESK_LITEFS_DIR needs HELPDESK_SECRET_KEY, the same on every machine, so that each can read what the others encrypt.',
    );
  }
  if (`${resolve(data)}/`.startsWith(`${resolve(mount)}/`)) {
    throw new ConfigError(
      'HELPDESK_DATA must be outside HELPDESK_LITEFS_DIR, because the mount can only hold databases.',
    );
  }
}

/** Each variable with its effective value, secrets masked. */
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

export function isOnFly(environment: Environment = process.env): boolean {
  return (environment.FLY_APP_NAME ?? '') !== '' && (environment.FLY_MACHINE_ID ?? '') !== '';
}

export function isColourWanted(isTerminal: boolean | undefined): boolean {
  return isTerminal === true && (process.env.NO_COLOR ?? '') === '';
}

/** Where a browser on this machine finds a server with this host and port. */
export function localUrl(host: string, port: number): string {
  const isEverywhere = ['0.0.0.0', '::'].includes(host);
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The environment for child processes, without secrets. */
export function childEnvironment(environment: Environment = process.env): Record<string, string> {
  const names = ['PATH', 'TZ', 'LANG', 'TMPDIR', 'TEMP', 'SystemRoot'];
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

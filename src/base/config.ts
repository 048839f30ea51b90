// The configuration: every setting as the environment or a command line flag gives it (docs/spec/cli.md#environment).

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from './environment.ts';
import { clusterSettings } from './settings/cluster.ts';
import { deliverySettings } from './settings/delivery.ts';
import type { Entry } from './settings/entry.ts';
import { rateSettings } from './settings/rates.ts';
import { serverSettings } from './settings/server.ts';
import { signInSettings } from './settings/sign-in.ts';
import { storageSettings } from './settings/storage.ts';

export const entries = {
  ...serverSettings,
  ...signInSettings,
  ...rateSettings,
  ...deliverySettings,
  ...storageSettings,
  ...clusterSettings,
} satisfies Record<string, Entry<unknown>>;

type Entries = typeof entries;
export type ConfigName = keyof Entries;
export type Config = { [Name in ConfigName]: Entries[Name] extends Entry<infer Value> ? Value : never };

/** The message names each invalid variable and what it must be. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

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

function requireComplete(config: Config): void {
  const missing = s3Names.filter((name) => config[name] === null);
  if (missing.length > 0 && missing.length < s3Names.length) {
    const isAre = missing.length === 1 ? 'is' : 'are';
    throw new ConfigError(
      `The S3 settings are incomplete: ${missing.join(', ')} ${isAre} missing or empty. Set all ${s3Names.length}, or none.`,
    );
  }
  requireIssuer(config);
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

function requireIssuer(config: Config): void {
  if (config.HELPDESK_OIDC_ISSUER !== null) {
    if (config.HELPDESK_OIDC_CLIENT_ID === null)
      throw new ConfigError(
        'HELPDESK_OIDC_ISSUER needs HELPDESK_OIDC_CLIENT_ID, the id that the issuer gave the desk.',
      );
    return;
  }
  if (!config.HELPDESK_PASSWORD_SIGN_IN)
    throw new ConfigError('HELPDESK_PASSWORD_SIGN_IN can only be off with HELPDESK_OIDC_ISSUER.');
}

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

export const settingSources = ['environment', 'file', 'command_line', 'console', 'default'] as const;
export interface RunningSetting {
  name: ConfigName;
  value: string;
  source: (typeof settingSources)[number];
  meaning: string;
}

/** Of a desk that runs: flags of `serve` count before the environment. @param own what an owner has set in the browser */
export function describeRunning(
  config: Config,
  own: readonly ConfigName[] = [],
  environment: Environment = process.env,
): RunningSetting[] {
  return describeConfig({}, environment).map(({ name, value, meaning, isSet }) => {
    if (own.includes(name)) return { name, value: String(config[name]), source: 'console', meaning };
    const { schema, default: fallback } = entries[name] as Entry<unknown>;
    const given = schema.safeParse(isSet ? rawValue(environment, name) : fallback);
    const isByFlag = JSON.stringify(given.data) !== JSON.stringify(config[name]);
    if (isByFlag) return { name, value: String(config[name]), source: 'command_line', meaning };
    const isInFile = (environment[`${name}_FILE`] ?? '') !== '';
    return { name, value, source: isSet ? (isInFile ? 'file' : 'environment') : 'default', meaning };
  });
}

// The environment: every invalid variable is named in a sentence, and secrets are not shown.

import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ConfigError,
  type ConfigName,
  describeConfig,
  describeRunning,
  entries,
  readConfig,
} from '../../src/base/config.ts';
import { localUrl } from '../../src/base/local-url.ts';
import { parseDuration } from '../../src/base/settings/values.ts';
import { temporaryFolder } from '../support/folders.ts';

const key = Buffer.alloc(32, 1).toString('base64');
const names = Object.keys(entries) as ConfigName[];

/** Invalid values of each variable. Free text has none. */
const wrong: Partial<Record<ConfigName, string[]>> = {
  HELPDESK_PORT: ['x', '-1', '65536', '80.5'],
  HELPDESK_BASE_URL: ['desk.example.org', 'ftp://desk.example.org', 'https://'],
  HELPDESK_INBOUND_DOMAIN: ['a b', 'a@b', 'x'.repeat(300)],
  HELPDESK_TRUSTED_PROXIES: ['10.0.0.0/33', 'proxy.example.org', '::1/129', '10.0.0.1/8/8'],
  HELPDESK_LOG_LEVEL: ['loud', 'INFO'],
  HELPDESK_LOG_FORMAT: ['xml'],
  HELPDESK_RATE_INGEST_CALLER: ['-1', 'many', '1.5'],
  HELPDESK_RATE_INGEST_SITE: ['-1', ' '],
  HELPDESK_RATE_OTHER: ['1e3'],
  HELPDESK_RATE_INBOUND: ['x'],
  HELPDESK_RATE_AUTH_FAILURES: ['x'],
  HELPDESK_MAIL_FROM: ['me', 'Me <me@desk.example>', 'a@b, c@d'],
  HELPDESK_SMTP_URL: [
    'mail.example.org:587',
    'smtp://',
    'smtp:///x',
    'smtp://mail.example.org:99999',
    'smtp://user:pass/word@mail.example.org',
    'smtp://user:12#34@mail.example.org',
    'smtp://user:12?34@mail.example.org',
    'smtp://mail.example.org/path',
  ],
  HELPDESK_WEBHOOK_RETRY_DELAYS: ['10', '10s,later', '0s'],
  HELPDESK_WEBHOOK_TIMEOUT: ['10', 'soon'],
  HELPDESK_ATTACHMENT_URL_TTL: ['15', '0s', '-1m', '15 minutes', '1y'],
  HELPDESK_SYNCHRONOUS: ['full', '2'],
  HELPDESK_SECRET_KEY: ['short', Buffer.alloc(31).toString('base64')],
  HELPDESK_CONSUL_URL: ['consul:8500', 'unix:/run/consul'],
  HELPDESK_MAX_SILENCE: ['0s', '10', 'long'],
  HELPDESK_MAX_LAG: ['0s', '30', 'old'],
  HELPDESK_LITEFS_URL: ['127.0.0.1:20202', 'unix:/run/litefs'],
  HELPDESK_PEER_URL: ['http://primary:8080', 'ftp://{hostname}', '{hostname}', 'http://{hostname}/{hostname}'],
  HELPDESK_S3_ENDPOINT: ['s3.example.org', 's3://bucket'],
  HELPDESK_S3_BUCKET: ['a/b', 'a b'],
  HELPDESK_S3_REGION: ['eu west'],
};

const s3 = {
  HELPDESK_S3_ENDPOINT: 'https://s3.example.org',
  HELPDESK_S3_BUCKET: 'desk',
  HELPDESK_S3_REGION: 'auto',
  HELPDESK_S3_ACCESS_KEY_ID: 'the-key-id',
  HELPDESK_S3_SECRET_ACCESS_KEY: 'the-key-secret',
};

test.each([
  'smtp://mail.example.org',
  'smtps://user:p%2Fa%23ss@mail.example.org:465/',
  'smtp://user%40shop.example:pass@mail.example.org:587?tls.rejectUnauthorized=false',
])('%s is a mail server', (url) => {
  expect(readConfig({}, { HELPDESK_SMTP_URL: url }).HELPDESK_SMTP_URL).toBe(url);
});

describe('settings that belong together', () => {
  for (const name of Object.keys(s3)) {
    test(`of the store for files: all but ${name} is refused, and it is named`, () => {
      expect(() => readConfig({}, { ...s3, [name]: '' })).toThrow(
        new RegExp(`incomplete: ${name} is missing or empty. Set all 5, or none`),
      );
    });
  }

  test('of the store for files are taken whole, and its keys are not shown', () => {
    expect(readConfig({}, s3)).toMatchObject(s3);
    const shown = JSON.stringify(describeConfig({}, s3));
    expect(shown).not.toMatch(/the-key-(id|secret)/);
    expect(shown).toContain('https://s3.example.org');
  });

  test('of a cluster: the mount needs the key that all machines share', () => {
    expect(() => readConfig({}, { HELPDESK_LITEFS_DIR: '/litefs' })).toThrow(/needs HELPDESK_SECRET_KEY/);
    expect(readConfig({}, { HELPDESK_LITEFS_DIR: '/litefs', HELPDESK_SECRET_KEY: key }).HELPDESK_LITEFS_DIR).toBe(
      '/litefs',
    );
  });

  for (const data of ['/litefs', '/litefs/', '/litefs/data', '/litefs/../litefs/data']) {
    test(`of a cluster: a data directory ${data} in the mount is refused`, () => {
      const environment = { HELPDESK_LITEFS_DIR: '/litefs', HELPDESK_SECRET_KEY: key, HELPDESK_DATA: data };
      expect(() => readConfig({}, environment)).toThrow(/HELPDESK_DATA must be outside/);
      expect(readConfig({}, { ...environment, HELPDESK_DATA: '/litefs-data' }).HELPDESK_DATA).toBe('/litefs-data');
    });
  }
});

describe('the configuration', () => {
  test('of an empty environment is the defaults', () => {
    const config = readConfig({}, {});
    expect(config).toMatchObject({
      HELPDESK_PORT: 8080,
      HELPDESK_HOST: '127.0.0.1',
      HELPDESK_SYNCHRONOUS: 'FULL',
      HELPDESK_SECRET_KEY: null,
    });
    expect(readConfig({}, Object.fromEntries(names.map((name) => [name, ''])))).toEqual(config);
    expect(Object.keys(config)).toEqual(names);
  });

  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      test(`says what ${name} takes, not ${JSON.stringify(value.slice(0, 24))}`, () => {
        let message = '';
        try {
          readConfig({}, { [name]: value });
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          message = (error as Error).message;
        }
        expect(message).toMatch(new RegExp(`^${name} must be .{5,}\\.$`));
      });
    }
  }

  test('names all that is wrong together', () => {
    expect(() => readConfig({}, { HELPDESK_PORT: 'x', HELPDESK_SYNCHRONOUS: 'x' })).toThrow(
      /HELPDESK_PORT .*HELPDESK_SYNCHRONOUS/,
    );
  });

  test('takes a flag before the environment', () => {
    expect(readConfig({ HELPDESK_PORT: '1' }, { HELPDESK_PORT: '2' }).HELPDESK_PORT).toBe(1);
  });

  test('reads a value from a file, and refuses a file and a value', () => {
    const file = join(temporaryFolder(), 'key');
    writeFileSync(file, `${key}\n`);
    expect(readConfig({}, { HELPDESK_SECRET_KEY_FILE: file }).HELPDESK_SECRET_KEY).toBe(key);
    expect(() => readConfig({}, { HELPDESK_SECRET_KEY_FILE: file, HELPDESK_SECRET_KEY: key })).toThrow(
      'Set either HELPDESK_SECRET_KEY or HELPDESK_SECRET_KEY_FILE, not both.',
    );
    expect(() => readConfig({}, { HELPDESK_PORT_FILE: `${file}-none` })).toThrow(
      /HELPDESK_PORT_FILE points to .*cannot be read/,
    );
  });

  test('takes what people write', () => {
    const config = readConfig(
      {},
      {
        HELPDESK_BASE_URL: 'https://desk.example.org/',
        HELPDESK_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
        HELPDESK_ATTACHMENT_URL_TTL: '1h',
        HELPDESK_RATE_OTHER: '0',
      },
    );
    expect(config).toMatchObject({
      HELPDESK_BASE_URL: 'https://desk.example.org',
      HELPDESK_TRUSTED_PROXIES: ['10.0.0.0/8', '::1'],
      HELPDESK_ATTACHMENT_URL_TTL: 3_600_000,
      HELPDESK_RATE_OTHER: 0,
    });
  });

  test('is shown without its secrets', () => {
    const shown = describeConfig({}, { HELPDESK_SECRET_KEY: key, HELPDESK_PORT: '9' });
    expect(JSON.stringify(shown)).not.toContain(key);
    expect(shown.find(({ name }) => name === 'HELPDESK_SECRET_KEY')).toMatchObject({ value: '********', isSet: true });
    expect(shown.find(({ name }) => name === 'HELPDESK_PORT')).toMatchObject({
      value: '9',
      default: '8080',
      isSet: true,
    });
    expect(shown.every(({ meaning }) => meaning.endsWith('.'))).toBe(true);
  });

  test.each([
    ['https://login.example.org', true],
    ['https://login.example.org/realms/desk', true],
    ['http://127.0.0.1:9000', true],
    ['http://localhost:9000', true],
    ['http://[::1]:9000', true],
    ['http://login.example.org', false],
    ['http://127.0.0.1.example.org', false],
    ['http://localhost.example.org', false],
    ['https://desk:secret@login.example.org', false],
    ['https://login.example.org/?a=b', false],
    ['login.example.org', false],
    ['file:///etc/passwd', false],
  ])('takes the issuer %p: %p', (issuer, isTaken) => {
    const read = () => readConfig({}, { HELPDESK_OIDC_ISSUER: issuer, HELPDESK_OIDC_CLIENT_ID: 'desk' });
    if (isTaken) expect(read().HELPDESK_OIDC_ISSUER).toBe(issuer);
    else expect(read).toThrow('HELPDESK_OIDC_ISSUER must be an https address');
  });

  test('needs a client id with an issuer, and an issuer without passwords', () => {
    const issuer = { HELPDESK_OIDC_ISSUER: 'https://login.example.org' };
    expect(() => readConfig({}, issuer)).toThrow('HELPDESK_OIDC_CLIENT_ID');
    expect(() => readConfig({}, { HELPDESK_PASSWORD_SIGN_IN: 'off' })).toThrow('only be off with HELPDESK_OIDC_ISSUER');
    const both = { ...issuer, HELPDESK_OIDC_CLIENT_ID: 'desk', HELPDESK_PASSWORD_SIGN_IN: 'off' };
    expect(readConfig({}, { ...both, HELPDESK_OIDC_DOMAINS: 'Example.org, b.example' })).toMatchObject({
      HELPDESK_PASSWORD_SIGN_IN: false,
      HELPDESK_OIDC_DOMAINS: ['example.org', 'b.example'],
    });
  });

  test('counts durations', () => {
    expect(['5ms', '5s', '5m', '5h', '5d', '5', 'm', '-5s', '5.5s', ''].map(parseDuration)).toEqual([
      5,
      5000,
      300_000,
      18_000_000,
      432_000_000,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

test('what listens everywhere is found on this machine, and an IPv6 address is bracketed', () => {
  const hosts = ['127.0.0.1', '0.0.0.0', '::', '::1', 'desk.lan'];
  expect(hosts.map((host) => localUrl(host, 80))).toEqual([
    'http://127.0.0.1:80',
    'http://localhost:80',
    'http://localhost:80',
    'http://[::1]:80',
    'http://desk.lan:80',
  ]);
});

test('each setting of a running desk says where it came from, and shows no secret', () => {
  const environment = { HELPDESK_PORT: '8081', HELPDESK_SMTP_URL: 'smtp://kim:horse@mail.example:587' };
  const config = readConfig({ HELPDESK_HOST: '0.0.0.0' }, environment);
  const shown = describeRunning(config, [], environment);
  const of = (wanted: string) => shown.find(({ name }) => name === wanted);
  expect(of('HELPDESK_PORT')).toMatchObject({ value: '8081', source: 'environment' });
  expect(of('HELPDESK_HOST')).toMatchObject({ value: '0.0.0.0', source: 'command_line' });
  expect(of('HELPDESK_SMTP_URL')).toMatchObject({ source: 'environment' });
  expect(shown.filter(({ source }) => source === 'command_line').map(({ name }) => name)).toEqual(['HELPDESK_HOST']);
  expect(JSON.stringify(shown)).not.toContain('horse');
  const own = describeRunning(
    { ...config, HELPDESK_INBOUND_DOMAIN: 'shop.example' },
    ['HELPDESK_INBOUND_DOMAIN'],
    environment,
  );
  expect(own.filter(({ source }) => source === 'console')).toMatchObject([
    { name: 'HELPDESK_INBOUND_DOMAIN', value: 'shop.example' },
  ]);
});

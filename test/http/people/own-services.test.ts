// The desk's mail server and its issuer, set in the browser: tried before they are kept, sealed, and in force at once.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { OidcFault } from '../../../src/identity/oidc-fault.ts';
import type { Mailbox } from '../../../src/store/sites/catalogue.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
let owner: (body?: object, more?: Record<string, string>) => ReturnType<TestApp['ask']>;
beforeEach(async () => {
  app = await testApp();
  const { headers } = await app.person('owner');
  owner = (body, more) =>
    app.ask(body === undefined ? 'GET' : 'PATCH', '/api/v1/desk', { headers: { ...headers, ...more }, body });
});
afterEach(() => app.close());

const stored = () =>
  app.desk.read((tx) =>
    tx.client
      .query('SELECT mail_server_secret_sealed AS mail, issuer_secret_sealed AS issuer FROM desk_settings')
      .get(),
  ) as { mail: string | null; issuer: string | null };
const opened = (sealed: string | null) => sealed && app.desk.seal.open(sealed);

describe('the mail server', () => {
  const server = { address: 'desk@shop.example', host: 'smtp.shop.example', user: 'desk' };
  const shown = { ...server, port: 587, tls: 'starttls', certificate_sha256: null };
  let tried: { mailbox: Mailbox; to: string | undefined }[] = [];
  let fault: 'password' | 'other' | null = null;
  beforeEach(() => {
    tried = [];
    fault = null;
    app.edge.mailboxes.try = async (mailbox, to) => {
      tried.push({ mailbox, to });
      return { reading: null, sending: { is_ok: fault === null, reason: fault, message: `It says ${fault}` } };
    };
  });

  test('is tried with a mail to the owner, kept, and shown without its password to owners alone', async () => {
    const saved = await owner({ mail_server: { ...server, password: 'hush' } });
    expect([saved.status, saved.json.data.mail_server]).toEqual([200, shown]);
    expect(saved.text).not.toContain('hush');
    expect(tried.map(({ mailbox, to }) => [mailbox.outgoing?.host, to?.includes('@')])).toEqual([
      ['smtp.shop.example', true],
    ]);
    expect(opened(tried[0]?.mailbox.secretSealed ?? null)).toBe('hush');
    expect(opened(stored().mail)).toBe('hush');
    const { headers } = await app.person('admin');
    expect((await app.ask('GET', '/api/v1/desk', { headers })).json.data.mail_server).toBeNull();
    expect((await owner()).json.data.mail_server).toEqual(shown);
  });

  test('that refuses is not kept, and the answer says which field is wrong', async () => {
    fault = 'password';
    const refused = await owner({ mail_server: { ...server, password: 'wrong' } });
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      { 'mail_server.password': ['The password field is refused: It says password'] },
    ]);
    fault = 'other';
    const unreachable = await owner({ mail_server: { ...server, password: 'hush' } });
    expect(unreachable.json.errors).toEqual({ 'mail_server.host': ['The host field is refused: It says other'] });
    expect([(await owner()).json.data.mail_server, stored().mail]).toEqual([null, null]);
  });

  test('keeps its password, which reaches no other server, and is removed with it', async () => {
    await owner({ mail_server: { ...server, password: 'hush' } });
    const other = await owner({ mail_server: { ...server, address: 'help@shop.example' } });
    expect([other.status, opened(stored().mail)]).toEqual([200, 'hush']);
    const elsewhere = await owner({ mail_server: { ...server, host: 'smtp.elsewhere.example' } });
    expect([elsewhere.status, Object.keys(elsewhere.json.errors)]).toEqual([422, ['mail_server.password']]);
    expect(tried.some(({ mailbox }) => mailbox.outgoing?.host === 'smtp.elsewhere.example')).toBe(false);
    expect((await owner({ mail_server: null })).json.data.mail_server).toBeNull();
    expect(stored().mail).toBeNull();
    const first = await owner({ mail_server: server });
    expect(first.json.errors).toEqual({ 'mail_server.password': ['The password field is required.'] });
  });

  test('that asks for no one gets none, and has no password that could reach it', async () => {
    await owner({ mail_server: { ...server, password: 'hush' } });
    const relay = { address: 'desk@shop.example', host: 'relay.lan', tls: 'none', user: null };
    const saved = await owner({ mail_server: relay });
    expect(saved.json.data.mail_server).toEqual({ ...shown, ...relay });
    expect([tried.at(-1)?.mailbox.secretSealed, stored().mail]).toEqual([null, null]);
    const again = await owner({ mail_server: server });
    expect(again.json.errors).toEqual({ 'mail_server.password': ['The password field is required.'] });
    const both = await owner({ mail_server: { ...relay, password: 'hush' } });
    expect(Object.keys(both.json.errors)).toEqual(['mail_server.user']);
    const clear = await owner({ mail_server: { ...relay, user: 'desk', password: 'hush' } });
    expect(Object.keys(clear.json.errors)).toEqual(['mail_server.tls']);
  });
});

describe('the issuer', () => {
  const issuer = { issuer: 'https://login.example.org', client_id: 'desk', domains: ['example.org'] };
  let asked: [string, string | null][] = [];
  beforeEach(() => {
    asked = [];
    app.edge.signIn.tryIssuer = async (own, secret) => {
      asked.push([own.issuer, secret]);
      if (own.issuer.includes('down')) throw new OidcFault('unavailable', 'it does not answer');
    };
  });

  test('is asked before it is kept, with its secret, which is never shown', async () => {
    const saved = await owner({ issuer: { ...issuer, client_secret: 'hush' } });
    expect(saved.json.data.issuer).toEqual({ ...issuer, has_client_secret: true, label: null, role_claim: null });
    expect([asked, saved.text.includes('hush')]).toEqual([[['https://login.example.org', 'hush']], false]);
    const down = await owner({ issuer: { ...issuer, issuer: 'https://down.example.org', client_secret: 'other' } });
    expect([down.status, down.json.errors]).toEqual([
      422,
      { 'issuer.issuer': ['The issuer field is refused: it does not answer'] },
    ]);
    expect((await owner()).json.data.issuer.issuer).toBe('https://login.example.org');
    expect(opened(stored().issuer)).toBe('hush');
  });

  test('keeps its secret, which reaches no other issuer', async () => {
    await owner({ issuer: { ...issuer, client_secret: 'hush' } });
    expect((await owner({ issuer: { ...issuer, label: 'Example' } })).json.data.issuer.label).toBe('Example');
    const elsewhere = await owner({ issuer: { ...issuer, issuer: 'https://other.example.org' } });
    expect(Object.keys(elsewhere.json.errors)).toEqual(['issuer.client_secret']);
    expect(asked.map(([at]) => at)).toEqual(['https://login.example.org', 'https://login.example.org']);
    await owner({ issuer: null });
    expect(stored().issuer).toBeNull();
  });
});

describe('the bucket', () => {
  const bucket = { endpoint: 'https://s3.example.org', bucket: 'desk', region: 'eu-1', access_key_id: 'key' };
  const shown = { ...bucket, stores_files: true, folders: [] };
  const sealed = () =>
    (
      app.desk.read((tx) => tx.client.query('SELECT bucket_secret_sealed AS secret FROM desk_settings').get()) as {
        secret: string | null;
      }
    ).secret;
  let tried: [string, string][] = [];
  beforeEach(() => {
    tried = [];
    app.edge.bucket.try = async ({ access_key_id: key }, secret) => {
      tried.push([key, secret]);
      return key === 'bad' ? { reason: 'store', message: 'PUT: 403 AccessDenied' } : null;
    };
  });

  test('is tried before it is kept, with its secret, which is never shown', async () => {
    const saved = await owner({ bucket: { ...bucket, secret_access_key: 'hush' } });
    expect([saved.status, saved.json.data.bucket]).toEqual([200, shown]);
    expect([tried, saved.text.includes('hush'), opened(sealed())]).toEqual([[['key', 'hush']], false, 'hush']);
    const bad = await owner({ bucket: { ...bucket, access_key_id: 'bad', secret_access_key: 'other' } });
    expect([bad.status, bad.json.errors]).toEqual([
      422,
      { 'bucket.endpoint': ['The endpoint field is refused: PUT: 403 AccessDenied'] },
    ]);
    expect([(await owner()).json.data.bucket, opened(sealed())]).toEqual([shown, 'hush']);
    const { headers } = await app.person('admin');
    expect((await app.ask('GET', '/api/v1/desk', { headers })).json.data.bucket).toBeNull();
  });

  test('keeps its secret for the same key, and is not exchanged for another one', async () => {
    const first = await owner({ bucket });
    expect(first.json.errors).toEqual({ 'bucket.secret_access_key': ['The secret access key field is required.'] });
    await owner({ bucket: { ...bucket, secret_access_key: 'hush' } });
    const paused = await owner({ bucket: { ...bucket, stores_files: false } });
    expect([paused.status, paused.json.data.bucket.stores_files, opened(sealed())]).toEqual([200, false, 'hush']);
    const key = await owner({ bucket: { ...bucket, access_key_id: 'other' } });
    expect(Object.keys(key.json.errors)).toEqual(['bucket.secret_access_key']);
    for (const other of [{ bucket: 'elsewhere' }, { endpoint: 'https://s3.example.net' }]) {
      const refused = await owner({ bucket: { ...bucket, ...other, secret_access_key: 'hush' } });
      expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['bucket.bucket']]);
    }
    expect(tried).toHaveLength(2);
    expect([(await owner({ bucket: null })).json.data.bucket, sealed()]).toEqual([null, null]);
  });

  test('is not set on one of several machines', async () => {
    app.edge.bucket.place = null;
    const refused = await owner({ bucket: { ...bucket, secret_access_key: 'hush' } });
    expect([refused.status, Object.keys(refused.json.errors), tried]).toEqual([422, ['bucket'], []]);
  });
});

describe('the addresses', () => {
  const from = (origin: string | undefined, body: object) =>
    owner(body, origin === undefined ? undefined : { Origin: origin });

  test('of the desk is the one that the request was sent to, and no other', async () => {
    const here = new URL(app.edge.baseUrl).origin;
    for (const [origin, address] of [
      [here, 'https://elsewhere.example'],
      [undefined, here],
    ] as const) {
      const refused = await from(origin, { base_url: address });
      expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['base_url']]);
    }
    for (const address of ['desk.example', 'ftp://desk.example', `${here}/path`])
      expect((await from(here, { base_url: address })).status, address).toBe(422);
    expect((await from(here, { base_url: here })).json.data.base_url).toBe(here);
    const { headers } = await app.person('admin');
    expect((await app.ask('GET', '/api/v1/desk', { headers })).json.data.base_url).toBeNull();
    expect((await from(here, { base_url: null })).json.data.base_url).toBeNull();
  });

  test('of mail is kept if mail for it can come', async () => {
    const asked: string[] = [];
    app.edge.mailFault = async (domain) => {
      asked.push(domain);
      return domain.includes('nowhere') ? { reason: 'no_mail_server', message: 'DNS has no MX record.' } : null;
    };
    const refused = await owner({ inbound_domain: 'nowhere.example' });
    expect(refused.json.errors).toEqual({
      inbound_domain: ['The inbound domain field is refused: DNS has no MX record.'],
    });
    expect(refused.json.code).toBe('domain_no_mail_server');
    expect((await owner({ inbound_domain: 'no dots' })).status).toBe(422);
    expect((await owner({ inbound_domain: 'Support.Example' })).json.data.inbound_domain).toBe('support.example');
    expect((await owner({ inbound_domain: null })).json.data.inbound_domain).toBeNull();
    expect(asked).toEqual(['nowhere.example', 'support.example']);
  });
});

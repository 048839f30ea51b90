// Every row of the error table, each in the one shape (docs/spec/api.md#errors).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, type TestApp, testApp } from '../support/app.ts';
import { serve } from '../support/serving.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

function expectNamed({ json }: Answered): void {
  const [first, ...others] = Object.values<string[]>(json.errors).map((messages) => messages[0] ?? '');
  expect(json.message).toBe(others.length > 0 ? `${first} (and ${others.length} more)` : String(first));
}

function expectShape(answer: Answered, status: number, code: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(Object.keys(answer.json).sort()).toEqual(
    status === 422 ? ['code', 'errors', 'message', 'request_id'] : ['code', 'message', 'request_id'],
  );
  expect(answer.json.code).toBe(code);
  if (status === 422) expectNamed(answer);
  for (const message of Object.values<string[]>(answer.json.errors ?? {}).flat())
    expect(message).toMatch(/^The .+ field (?:is|must|may|cannot|does|has|names|needs|leaves|overlaps|takes) .*\.$/);
  expect(answer.json.request_id).toBe(answer.headers.get('x-request-id'));
  expect(answer.text).not.toMatch(/\bat .*\.ts|node_modules|SQLITE|Error:/);
}

const create = '/api/v1/public/tickets';
const good = { email: 'mia@example.org', subject: 'Hello', message: 'World' };

test('422: names the first hundred of several hundred wrong fields', async () => {
  const headers = { 'X-Site-Token': app.siteToken };
  const unknown = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`k${at}`, 1]));
  const fields = await app.ask('POST', create, { headers, body: { ...good, custom_fields: unknown } });
  expectShape(fields, 422, 'validation_failed');
  expect(Object.keys(fields.json.errors)).toHaveLength(100);
  const channel = { name: 'x', type: 'custom', webhook_url: 'https://hooks.example.org/x' };
  const events = Array.from({ length: 20_000 }, () => 'none');
  const many = await app.asTeam('POST', '/api/v1/sites/web-shop/webhook-channels', { ...channel, events });
  expect([many.status, Object.keys(many.json.errors)]).toEqual([422, ['events']]);
});

describe('400', () => {
  test.each([
    ['malformed JSON', '{"email":'],
    ['something that is no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['a nest without end', '['.repeat(5000)],
    ['more values than anything has', `{"tags":[${'1,'.repeat(30_000)}1]}`],
  ])('%s', async (_what, body) => {
    expectShape(
      await app.ask('POST', create, {
        headers: { 'X-Site-Token': app.siteToken, 'Content-Type': 'application/json' },
        body,
      }),
      400,
      'bad_request',
    );
  });

  test.each([
    '?page=0',
    '?page=x',
    '?per_page=0',
    '?created_from=yesterday',
    '?created_from=2026-02-30',
    '?status=bogus',
    '?sort=bogus',
    '?cursor=bogus',
    '?status[]=open&sla=bogus',
  ])('the query %s', async (query) => {
    const answer = await app.asTeam('GET', `/api/v1/tickets${query}`);
    expectShape(answer, 400, query.includes('cursor') ? 'bad_cursor' : 'bad_request');
  });

  test('an unknown query parameter', async () => {
    expectShape(await app.asTeam('GET', '/api/v1/tickets?foo=1'), 400, 'unknown_parameter');
  });

  test.each(['', 'ä', 'x'.repeat(256), 'a b'])('the Idempotency-Key %p', async (key) => {
    const answer = await app.asSite('POST', create, good, { 'Idempotency-Key': encodeURI(key) === key ? key : 'a b' });
    expectShape(answer, 400, 'bad_request');
  });
});

describe('401', () => {
  test.each([
    ['a missing site token', 'GET', '/api/v1/public/config', {}, 'missing_token'],
    ['an unknown site token', 'GET', '/api/v1/public/config', { 'X-Site-Token': 'hds_nope' }, 'unknown_token'],
    ['a missing team token', 'GET', '/api/v1/tickets', {}, 'missing_token'],
    ['an unknown team token', 'GET', '/api/v1/tickets', { Authorization: 'Bearer hdt_nope' }, 'unknown_token'],
    ['another scheme', 'GET', '/api/v1/tickets', { Authorization: 'Basic eDp5' }, 'missing_token'],
  ])('%s', async (_what, method, path, headers, code) => {
    const answer = await app.ask(method, path, { headers: headers as Record<string, string> });
    expectShape(answer, 401, code);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('a missing access token', async () => {
    const { ulid } = await app.open();
    expectShape(await app.asSite('GET', `${create}/${ulid}`), 401, 'missing_access_token');
  });
});

test('403: a known credential without the ability', async () => {
  const { secret } = await app.token(['read']);
  const { ulid } = await app.open();
  const answer = await app.ask('PATCH', `/api/v1/tickets/${ulid}`, {
    headers: { Authorization: `Bearer ${secret}` },
    body: { status: 'closed' },
  });
  expectShape(answer, 403, 'missing_ability');
  const scoped = await app.token(['read', 'write', 'manage'], app.site.id);
  expectShape(
    await app.ask('POST', '/api/v1/sites', {
      headers: { Authorization: `Bearer ${scoped.secret}` },
      body: { name: 'X' },
    }),
    403,
    'site_scoped',
  );
});

describe('404', () => {
  const same = (one: Answered, other: Answered) => {
    expect([one.status, other.status]).toEqual([404, 404]);
    expect({ ...one.json, request_id: '' }).toEqual({ ...other.json, request_id: '' });
  };

  test('looks the same for unknown things and for things outside the scope', async () => {
    const { ulid } = await app.open();
    const { secret } = await app.token(['read', 'write', 'manage'], app.other.site.id);
    const headers = { Authorization: `Bearer ${secret}` };
    const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
    same(
      await app.ask('GET', `/api/v1/tickets/${ulid}`, { headers }),
      await app.ask('GET', `/api/v1/tickets/${unknown}`, { headers }),
    );
    same(
      await app.ask('GET', `/api/v1/sites/${app.site.slug}`, { headers }),
      await app.ask('GET', '/api/v1/sites/nope', { headers }),
    );
  });

  test('looks the same for a missing ticket, another site, and the access token of another ticket', async () => {
    const one = await app.open();
    const other = await app.open();
    const read = (ulid: string, accessToken: string, siteToken = app.siteToken) =>
      app.ask('GET', `${create}/${ulid}?access_token=${accessToken}`, { headers: { 'X-Site-Token': siteToken } });
    const unknown = await read('01ARZ3NDEKTSV4RRFFQ69G5FAV', one.accessToken);
    same(await read(one.ulid, other.accessToken), unknown);
    same(await read(one.ulid, one.accessToken, app.other.siteToken), unknown);
    same(await read('not-a-ulid', one.accessToken), unknown);
  });

  test.each(['/api/v1/nope', '/api', '/api/v1/tickets/1/nope', '/api/webhooks/nope/inbound/x'])('%s', async (path) => {
    expectShape(await app.ask(path.includes('webhooks') ? 'POST' : 'GET', path), 404, 'not_found');
  });
});

test.each(['DELETE', 'PUT', 'OPTIONS', 'PATCH'])('405: %s on a path without it, with Allow', async (method) => {
  const answer = await app.ask(method, '/api/v1/tickets');
  expectShape(answer, 405, 'method_not_allowed');
  expect(answer.headers.get('allow')).toBe('GET, POST, HEAD');
});

test('405: every path refuses methods that it does not have, and answers HEAD if it has GET', async () => {
  for (const path of new Set(app.operations.map((operation) => operation.path))) {
    const methods: string[] = app.operations.filter((operation) => operation.path === path).map(({ method }) => method);
    const target = path.replace(/\{\w+\}/g, 'x');
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      if (methods.includes(method)) continue;
      const answer = await app.ask(method, target, { headers: { Origin: 'https://evil.example' } });
      expectShape(answer, 405, 'method_not_allowed');
      const allowed = answer.headers.get('allow')?.split(', ') ?? [];
      expect(allowed.sort(), `${method} ${path}`).toEqual(
        [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort(),
      );
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    if (methods.includes('GET')) {
      const head = await app.asTeam('HEAD', target);
      expect(head.text).toBe('');
      expect(head.status).not.toBe(405);
    }
  }
});

describe('409', () => {
  test('a status that cannot follow the current one', async () => {
    const { ulid } = await app.open();
    await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { status: 'closed' });
    expectShape(await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { status: 'pending' }), 409, 'no_such_transition');
  });

  test('removing a site without its slug as confirmation', async () => {
    expectShape(await app.asTeam('DELETE', `/api/v1/sites/${app.site.slug}`), 409, 'confirmation_required');
  });

  test('an Idempotency-Key with another body', async () => {
    const headers = { 'Idempotency-Key': 'k' };
    await app.asSite('POST', create, good, headers);
    expectShape(
      await app.asSite('POST', create, { ...good, subject: 'Other' }, headers),
      409,
      'idempotency_key_reused',
    );
  });
});

test('412: a change based on an older version changes nothing', async () => {
  const { ulid } = await app.open();
  const etag = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).headers.get('etag') ?? '';
  expect(
    (await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { subject: 'First' }, { 'If-Match': etag })).status,
  ).toBe(200);
  expectShape(
    await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { subject: 'Second' }, { 'If-Match': etag }),
    412,
    'precondition_failed',
  );
  expect((await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data.subject).toBe('First');
});

describe('413', () => {
  test('a body over the limit, with and without a length', async () => {
    const big = JSON.stringify({ ...good, message: 'x'.repeat(1024 * 1024) });
    const headers = { 'X-Site-Token': app.siteToken, 'Content-Type': 'application/json' };
    expectShape(
      await app.ask('POST', create, { headers: { ...headers, 'Content-Length': String(big.length) }, body: big }),
      413,
      'payload_too_large',
    );
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65536;
        if (sent > 50_000_000) throw new Error('no one stopped it');
        controller.enqueue(new Uint8Array(65536).fill(97));
      },
    });
    expectShape(await app.ask('POST', create, { headers, body: endless }), 413, 'payload_too_large');
    // 32 MiB beyond the limit are dropped, so that the client sees the refusal.
    expect(sent).toBeLessThan(36_000_000);
  });
});

describe('415', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    '%s where JSON is wanted',
    async (type) => {
      expectShape(
        await app.ask('POST', create, {
          headers: { 'X-Site-Token': app.siteToken, 'Content-Type': type },
          body: JSON.stringify(good),
        }),
        415,
        'unsupported_media_type',
      );
    },
  );

  test('a compressed body, and JSON instead of a file', async () => {
    expectShape(await app.asSite('POST', create, good, { 'Content-Encoding': 'gzip' }), 415, 'unsupported_media_type');
    const { ulid, accessToken } = await app.open();
    expectShape(
      await app.asSite('POST', `${create}/${ulid}/attachments?access_token=${accessToken}`, {}),
      415,
      'unsupported_media_type',
    );
  });
});

describe('422 names each field by its path', () => {
  test.each([
    [{ ...good, email: 'nope' }, ['email']],
    [{}, ['email', 'subject', 'message']],
    [{ ...good, subject: 'x'.repeat(256) }, ['subject']],
    [{ ...good, subject: ' ' }, ['subject']],
    [{ ...good, message: 'x'.repeat(10_001) }, ['message']],
    [{ ...good, category_id: 999 }, ['category_id']],
    [{ ...good, category_id: 'one' }, ['category_id']],
    [{ ...good, priority_id: -1 }, ['priority_id']],
    [{ ...good, custom_fields: { nope: 1 } }, ['custom_fields.nope']],
    [{ ...good, context: 'text' }, ['context']],
    [{ ...good, context: { extra: 'x'.repeat(17_000) } }, ['context.extra']],
    [{ ...good, tags: ['Bad Tag'] }, ['tags.0']],
    [{ ...good, tags: ['a', 'a'] }, ['tags']],
    [{ ...good, tags: Array.from({ length: 11 }, (_, at) => `t${at}`) }, ['tags']],
    [[], ['email', 'subject', 'message']],
    [[good], ['body']],
    ['text', ['body']],
    [null, ['body']],
  ])('%j', async (body, paths) => {
    const before = app.counts();
    const answer = await app.asSite('POST', create, JSON.stringify(body), { 'Content-Type': 'application/json' });
    expectShape(answer, 422, 'validation_failed');
    expect(Object.keys(answer.json.errors)).toEqual(paths);
    expect(app.counts()).toEqual(before);
  });

  test.each([
    [{ ...good, subject: 5 }, { subject: ['The subject field must be text.'] }],
    [{ ...good, subject: null }, { subject: ['The subject field must be text.'] }],
    [{ ...good, subject: undefined }, { subject: ['The subject field is required.'] }],
    [{ ...good, subject: ' ' }, { subject: ['The subject field is required.'] }],
    [{ ...good, subject: 'x'.repeat(256) }, { subject: ['The subject field must have at most 255 characters.'] }],
    [{ ...good, email: 'mia' }, { email: ['The email field must be an e-mail address.'] }],
    [{ ...good, category_id: '1 ' }, { category_id: ['The category id field must be a number.'] }],
    [{ ...good, category_id: '01' }, { category_id: ['The category id field must be a number.'] }],
    [{ ...good, category_id: '1e3' }, { category_id: ['The category id field must be a number.'] }],
    [{ ...good, category_id: 1.5 }, { category_id: ['The category id field must be a whole number.'] }],
    [{ ...good, category_id: '0' }, { category_id: ['The category id field must be more than 0.'] }],
    [
      { ...good, category_id: '4711' },
      { category_id: ['The category id field does not name a category of this site.'] },
    ],
    [{ ...good, is_test: 'yes' }, { is_test: ['The is test field must be true or false.'] }],
    [{ ...good, tags: 'urgent' }, { tags: ['The tags field must be a list.'] }],
    [{ ...good, tags: [5] }, { 'tags.0': ['The tags field must be text.'] }],
    [{ ...good, custom_fields: [1] }, { custom_fields: ['The custom fields field must be an object.'] }],
    [
      { ...good, custom_fields: { order_number: 1 } },
      { 'custom_fields.order_number': ['The order number field is not a custom field of this site.'] },
    ],
    [{ ...good, context: 'web' }, { context: ['The context field must be an object.'] }],
    [[good], { body: ['The body field must be an object.'] }],
  ])('and says what should have been there: %j', async (body, errors) => {
    const answer = await app.asSite('POST', create, JSON.stringify(body), { 'Content-Type': 'application/json' });
    expectShape(answer, 422, 'validation_failed');
    expect(answer.json.errors).toEqual(errors);
  });

  test('accepts 255 and 10000 characters, counted as characters and not as UTF-16 units', async () => {
    expect(
      (await app.asSite('POST', create, { ...good, subject: '🙂'.repeat(255), message: '🙂'.repeat(10_000) })).status,
    ).toBe(201);
    expect((await app.asSite('POST', create, { ...good, subject: '🙂'.repeat(256) })).status).toBe(422);
  });

  test.each([
    [
      { sla_policy: { business_hours: { timezone: 'Nope/Nope', weekly: { mon: [['09:00', '17:00']] } } } },
      'sla_policy.business_hours.timezone',
    ],
    [
      {
        sla_policy: {
          business_hours: {
            timezone: 'UTC',
            weekly: {
              mon: [
                ['09:00', '12:00'],
                ['11:00', '13:00'],
              ],
            },
          },
        },
      },
      'sla_policy.business_hours.weekly.mon.1.0',
    ],
    [{ sla_policy: { holidays: ['2026-13-01'] } }, 'sla_policy.holidays.0'],
    [{ sla_policy: { warn_at_percent: 100 } }, 'sla_policy.warn_at_percent'],
    [{ settings: { auto_close_days: 0 } }, 'settings.auto_close_days'],
    [{ default_priority_id: 999 }, 'default_priority_id'],
  ])('of a site: %j', async (body, path) => {
    const answer = await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, body);
    expectShape(answer, 422, 'validation_failed');
    expect(Object.keys(answer.json.errors)).toEqual([path]);
  });

  test.each([
    [{ assigned_to: 999 }, 'The assigned to field does not name an agent of this site.'],
    [
      { category_id: 999, priority_id: 999 },
      'The category id field does not name a category of this site. (and 1 more)',
    ],
    [{ custom_fields: { nope: 1 } }, 'The nope field is not a custom field of this site.'],
    [{ snoozed_until: '2020-01-01' }, 'The snoozed until field must be in the future.'],
    [{ status: 'lost' }, 'The status field must be one of: open, pending, resolved, closed.'],
  ])('of a ticket, in its message too: %j', async (body, message) => {
    const { ulid } = await app.open();
    const answer = await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, body);
    expectShape(answer, 422, 'validation_failed');
    expect(answer.json.message).toBe(message);
  });

  test('of an inbound rule', async () => {
    const rule = { name: 'A', conditions: [], actions: [{ type: 'assign', value: 999 }] };
    expectShape(await app.asTeam('POST', `/api/v1/sites/${app.site.id}/inbound-rules`, rule), 422, 'validation_failed');
  });

  test('of a channel whose address is private', async () => {
    const answer = await app.asTeam('POST', `/api/v1/sites/${app.site.slug}/webhook-channels`, {
      name: 'X',
      type: 'custom',
      webhook_url: 'http://10.0.0.1/x',
      events: ['ticket.created'],
    });
    expectShape(answer, 422, 'validation_failed');
    expect(Object.keys(answer.json.errors)).toEqual(['webhook_url']);
  });
});

describe('429', () => {
  async function limited(limits: Parameters<typeof testApp>[0]) {
    await app.close();
    app = await testApp(limits);
  }

  test('never allows more than the limit in any minute, because the window slides', async () => {
    await limited({ ingestCaller: 30 });
    const taken: number[] = [];
    for (let second = 0; second < 180; second += 1) {
      for (let at = 0; at < 2; at += 1) {
        const answer = await app.asSite('GET', '/api/v1/public/config');
        if (answer.status === 200) taken.push(app.clock.now());
        else {
          expectShape(answer, 429, 'rate_limited');
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
          expect(answer.headers.get('x-ratelimit-limit')).toBe('30');
          expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
          expect(Number(answer.headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
        }
      }
      app.clock.advance(1000);
    }
    for (const from of taken)
      expect(taken.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(30);
    expect(taken.length).toBe(90);
  });

  test('a request after Retry-After is allowed', async () => {
    await limited({ other: 2 });
    await app.asTeam('GET', '/api/v1/sites');
    app.clock.advance(10_000);
    await app.asTeam('GET', '/api/v1/sites');
    const refused = await app.asTeam('GET', '/api/v1/sites');
    const seconds = Number(refused.headers.get('retry-after'));
    app.clock.advance(seconds * 1000 - 1001);
    expect((await app.asTeam('GET', '/api/v1/sites')).status).toBe(429);
    app.clock.advance(1001);
    expect((await app.asTeam('GET', '/api/v1/sites')).status).toBe(200);
  });

  test('counts callers separately, by X-Forwarded-For behind a trusted proxy, and each site as a whole', async () => {
    await limited({ ingestCaller: 2, ingestSite: 5 });
    const from = (peer: string, forwarded?: string) =>
      app.ask('GET', '/api/v1/public/config', {
        peer,
        headers: { 'X-Site-Token': app.siteToken, ...(forwarded ? { 'X-Forwarded-For': forwarded } : {}) },
      });
    const statuses = async (...asked: Promise<Answered>[]) => (await Promise.all(asked)).map(({ status }) => status);
    expect(await statuses(from('192.0.2.1'), from('192.0.2.1'), from('192.0.2.1'))).toEqual([200, 200, 429]);
    // A client's claim about its address proves nothing.
    expect(await statuses(from('192.0.2.1', '203.0.113.9'))).toEqual([429]);
    expect(
      await statuses(
        from('10.1.2.3', '198.51.100.7'),
        from('10.1.2.3', '198.51.100.8'),
        from('10.1.2.3', '203.0.113.1, 198.51.100.7'),
      ),
    ).toEqual([200, 200, 200]);
    expect(await statuses(from('192.0.2.99'))).toEqual([429]);
    expect(
      (
        await app.ask('GET', '/api/v1/public/config', {
          peer: '192.0.2.50',
          headers: { 'X-Site-Token': app.other.siteToken },
        })
      ).status,
    ).toBe(200);
  });

  test('a request for a missing path is counted too, by address', async () => {
    await limited({ other: 2 });
    const missing = await app.ask('GET', '/api/v1/nope');
    expect([missing.status, missing.headers.get('x-ratelimit-remaining')]).toEqual([404, '1']);
    const wrong = await app.ask('DELETE', '/api/v1/tickets');
    expect([wrong.status, wrong.headers.get('allow'), wrong.headers.get('x-ratelimit-remaining')]).toEqual([
      405,
      'GET, POST, HEAD',
      '0',
    ]);
    for (const [method, path] of [
      ['GET', '/api/v1/nope'],
      ['DELETE', '/api/v1/tickets'],
      ['GET', '/api/v1/openapi.json'],
    ] as const) {
      const refused = await app.ask(method, path);
      expectShape(refused, 429, 'rate_limited');
      expect(refused.headers.get('retry-after')).toBe('60');
    }
    expect((await app.ask('GET', '/api/v1/nope', { peer: '192.0.2.7' })).status).toBe(404);
    expect((await app.asTeam('GET', '/api/v1/sites')).status).toBe(200);
  });

  test('unknown credentials have a limit of their own', async () => {
    await limited({ authFailures: 10 });
    const guess = () => app.ask('GET', '/api/v1/tickets', { headers: { Authorization: 'Bearer hdt_guess' } });
    for (let at = 0; at < 10; at += 1) expect((await guess()).status).toBe(401);
    expectShape(await guess(), 429, 'rate_limited');
    app.clock.advance(60_000);
    expect((await guess()).status).toBe(401);
  });
});

test('a client that disconnects half-way through a body is a 400 and not a server error', async () => {
  await app.close();
  const crashed: object[] = [];
  const answered: { route: string; status: number }[] = [];
  const log = {
    debug: () => undefined,
    info: (fields: object) => void answered.push(fields as { route: string; status: number }),
    warn: () => undefined,
    error: (fields: object) => void crashed.push(fields),
  };
  app = await testApp({}, log);
  let begun = 0;
  const server = await serve((request) => {
    begun += 1;
    return app.fetch(request);
  });
  const until = async (isSo: () => boolean) => {
    for (const startedAt = performance.now(); !isSo(); await sleep(5))
      if (performance.now() - startedAt > 10_000) throw new Error('it never came to be');
  };
  try {
    const before = app.counts();
    const inbound = `/api/webhooks/raw/inbound/${app.inboundSecret}`;
    const hangUps: [path: string, head: string, body: string][] = [
      [create, 'Content-Type: application/json\r\nContent-Length: 500', '{"email":'],
      [create, 'Content-Type: application/json\r\nTransfer-Encoding: chunked', '9\r\n{"email":\r\n'],
      [inbound, 'Content-Type: message/rfc822\r\nContent-Length: 500', 'From: mia'],
      [inbound, 'Content-Type: message/rfc822\r\nTransfer-Encoding: chunked', '9\r\nFrom: mia\r\n'],
    ];
    for (const [at, [path, head, body]] of hangUps.entries()) {
      const socket = connect(server.port ?? 0, '127.0.0.1');
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: desk.example\r\nX-Site-Token: ${app.siteToken}\r\n${head}\r\n\r\n${body}`,
      );
      await until(() => begun > at);
      socket.destroy();
      await until(() => answered.length + crashed.length > at);
    }
    expect(crashed).toEqual([]);
    expect(answered.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(app.counts()).toEqual(before);
  } finally {
    await server.stop(true);
  }
});

test('500: an unexpected error shows no details, and is logged', async () => {
  await app.close();
  const logged: object[] = [];
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object) => void logged.push(fields),
  };
  app = await testApp({}, log, [
    {
      method: 'GET',
      path: '/api/v1/boom',
      id: 'boom',
      tag: 'Desk',
      summary: '',
      access: 'public',
      answer: { status: 200, schema: null, description: '' },
      handle: () => {
        throw new TypeError('secret mia@example.org');
      },
    },
  ]);
  expectShape(await app.ask('GET', '/api/v1/boom'), 500, 'internal_error');
  expect(JSON.stringify(logged)).toContain('TypeError');
  expect(JSON.stringify(logged)).not.toContain('mia@example.org');
});

test('503: a full disk refuses writes with Retry-After, and reads continue', async () => {
  const { client } = app.desk.store.writing;
  const { ulid } = await app.open();
  const pages = (client.query('PRAGMA page_count').get() as { page_count: number }).page_count;
  client.run(`PRAGMA max_page_count = ${pages}`);
  const before = app.counts();
  let refused: Answered | null = null;
  for (let at = 0; at < 200 && refused === null; at += 1) {
    const answer = await app.asSite('POST', create, { ...good, message: 'x'.repeat(9000) });
    if (answer.status !== 201) refused = answer;
  }
  if (refused === null) throw new Error('the disk never filled');
  expectShape(refused, 503, 'storage_unavailable');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).status).toBe(200);
  expect(app.counts().tickets).toBeGreaterThanOrEqual(before.tickets ?? 0);
  client.run('PRAGMA max_page_count = 1073741823');
  expect((await app.asSite('POST', create, good)).status).toBe(201);
});

describe('JSON with too many values', () => {
  const sending = (body: string) =>
    app.asSite('POST', '/api/v1/public/tickets', body, { 'Content-Type': 'application/json' });
  const ticket = (more: object) => JSON.stringify({ email: 'mia@example.org', subject: 'a', message: 'b', ...more });

  test.each([
    ['values', `{"tags":[${'0,'.repeat(30_000)}0]}`],
    ['keys', `{${Array.from({ length: 30_001 }, (_, at) => `"k${at}":0`).join(',')}}`],
    ['the same key', `{${'"subject":"x",'.repeat(30_000)}"subject":"y"}`],
    ['commas after a text that ends in a backslash', `{"subject":"\\\\"${',"a":0'.repeat(30_001)}}`],
  ])('too many %s are refused before they are parsed', async (_what, body) => {
    const answer = await sending(body);
    expectShape(answer, 400, 'bad_request');
    expect(answer.json.message).toBe('The JSON has more than 30000 values.');
  });

  test('a list or object that is too long is a 422 for its field', async () => {
    for (const [field, more] of [
      ['tags', { tags: Array(1001).fill('a') }],
      ['custom_fields', { custom_fields: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`f${at}`, 1])) }],
    ] as const) {
      const answer = await sending(ticket(more));
      expectShape(answer, 422, 'validation_failed');
      expect(Object.keys(answer.json.errors)).toEqual([field]);
    }
  });

  test('commas and brackets inside strings do not count, and a large context loses no ticket', async () => {
    const console = Array.from({ length: 2000 }, (_, at) => ({ level: 'error', message: `[${','.repeat(20)}] ${at}` }));
    const answer = await sending(ticket({ message: '[{,"\\'.repeat(1500), context: { console } }));
    expect(answer.status, answer.text).toBe(201);
  });
});

// The desk's metrics, read like a scraper, without reading any table.

import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { addChannel, channels } from '../../src/desk/outbox/channels.ts';
import { query } from '../../src/engine/database.ts';
import { createApp } from '../../src/http/app.ts';
import { mailedNumbers } from '../../src/http/wire/reports/mailed-report.ts';
import { createMailroom } from '../../src/jobs/mailroom.ts';
import { createMetrics, type Metrics } from '../../src/metrics/metrics.ts';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { createDispatcher, type DispatcherOptions } from '../../src/outbox/dispatcher.ts';
import { browserFiles } from '../../src/server/browser/files.ts';
import { measureTexts } from '../../src/store/database-figures.ts';
import { routesFor, type TestApp, testApp } from '../support/app.ts';
import { type Family, parseExposition, sampleOf } from '../support/exposition.ts';
import { inlineReader } from '../support/inline-reader.ts';

const root = join(import.meta.dir, '../..');
const running: { stop(): void; close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { stop, close } of running.splice(0)) {
    stop();
    await close();
  }
});

interface Counting {
  app: TestApp;
  metrics: Metrics;
  read: () => Promise<Map<string, Family>>;
  /** Sends a counted request to the http room. */
  ask: (method: string, path: string, headers?: Record<string, string>, body?: unknown) => Promise<Response>;
}

async function counting(loadAfterMs?: number): Promise<Counting> {
  const app = await testApp();
  const metrics = createMetrics({
    desk: app.desk,
    log: silentLog,
    path: dirname(app.path),
    requestsInFlight: () => 2,
    loadAfterMs,
  });
  running.push({ stop: metrics.stop, close: app.close });
  app.desk.writer.onBatch(metrics.onBatch);
  const counted = createApp({
    edge: app.edge,
    routes: routesFor(app.operations),
    browserFiles,
    log: silentLog,
    onAnswered: metrics.onAnswered,
  });
  return {
    app,
    metrics,
    read: async () => parseExposition(await metrics.text()),
    ask: async (method, path, headers = {}, body) =>
      counted.fetch(
        new Request(`http://desk.example${path}`, {
          method,
          headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
          body: body === undefined ? undefined : JSON.stringify(body),
        }),
        { peer: '192.0.2.1' },
      ),
  };
}

/** The table of docs/operations/monitoring.md: name, kind, labels. */
function documented(): [name: string, kind: string, labels: string[]][] {
  const text = readFileSync(join(root, 'docs/operations/monitoring.md'), 'utf8');
  return [...text.matchAll(/^\| `((?:helpdesk|process)_\w+)` \| (\w+) \|([^|]*)\|/gm)].map(
    ([, name = '', kind = '', labels = '']) => [
      name,
      kind,
      labels
        .split(',')
        .map((label) => label.replace(/[`\s]/g, ''))
        .filter((label) => label !== ''),
    ],
  );
}

describe('the text', () => {
  test('is what the documents say: every metric, its kind and its labels', async () => {
    const { read, ask, metrics } = await counting();
    await ask('GET', '/api/v1/tickets');
    metrics.onAttempt({ kind: 'mail', outcome: 'delivered', durationMs: 3 });
    metrics.onScan({ durationMs: 2, signalled: 1 });
    const found = [...(await read())].map(([name, { type, samples }]) => {
      const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)).filter((label) => label !== 'le'));
      return [name, type, [...labels].sort()];
    });
    // Metrics that serve adds where they apply.
    const gauges = readFileSync(join(root, 'src/server/gauges.ts'), 'utf8');
    for (const [, name] of gauges.matchAll(/metrics\.gauge\(\s*'(\w+)'/g)) found.push([name ?? '', 'gauge', []]);
    for (const [, name, label] of gauges.matchAll(/metrics\.gauges\(\s*'(\w+)',\s*'[^']+',\s*'(\w+)'/g))
      found.push([name ?? '', 'gauge', [label ?? '']]);
    expect(found.length).toBeGreaterThan(30);
    const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(found)).toEqual(sorted(documented().map(([name, kind, labels]) => [name, kind, labels.sort()])));
  });

  test('holds no path, token, address or name, whatever strangers send', async () => {
    const { read, ask, app, metrics } = await counting();
    const secret = 'hds_not-to-be-seen';
    for (let at = 0; at < 50; at += 1) {
      await ask('GET', `/api/v1/tickets/${secret}${at}`, { Authorization: `Bearer ${secret}` });
      await ask('GET', `/nothing/${secret}/${at}?email=mia@example.org`);
      await ask('PUT', '/api/v1/tickets');
      await ask('POST', `/api/webhooks/raw/inbound/${secret}${at}`, {}, {});
    }
    const text = await metrics.text();
    for (const word of [secret, 'mia@', '/api', app.site.slug, app.site.name, '192.0.2.1'])
      expect(text.includes(word)).toBe(false);
    const requests = (await read()).get('helpdesk_http_requests_total')?.samples ?? [];
    const known = new Set([...app.operations.map(({ id }) => id), 'none']);
    expect(requests.every(({ labels }) => known.has(labels.operation ?? ''))).toBe(true);
    expect(requests.length).toBeLessThan(8);
  });

  test('is the same to the count when the library comes only after what it counts', async () => {
    const { read, ask, metrics } = await counting(3_600_000);
    metrics.gauge('helpdesk_probe', 'Added from outside.', () => 7);
    metrics.gauge('helpdesk_absent', 'Added from outside.', () => null);
    metrics.gauge('helpdesk_broken', 'Added from outside.', () => {
      throw new Error('the folder is gone');
    });
    for (let at = 0; at < 3; at += 1) await ask('GET', '/api/v1/tickets');
    const families = await read();
    expect(sampleOf(families, 'helpdesk_http_requests_total', { operation: 'listTickets', status: '401' })).toBe(3);
    expect(sampleOf(families, 'helpdesk_probe')).toBe(7);
    for (const name of ['helpdesk_absent', 'helpdesk_broken']) expect(families.get(name)?.samples).toEqual([]);
    expect(sampleOf(families, 'helpdesk_database_readable')).toBe(1);
  });
});

describe('requests', () => {
  test('are counted by operation and status, and timed', async () => {
    const { read, ask, app } = await counting();
    const site = { 'X-Site-Token': app.siteToken };
    const body = { email: 'mia@example.org', subject: 'Hello', message: 'World' };
    await ask('POST', '/api/v1/public/tickets', site, body);
    await ask('POST', '/api/v1/public/tickets', site, body);
    await ask('POST', '/api/v1/public/tickets', site, { ...body, email: 'no one' });
    await ask('POST', '/api/v1/public/tickets', {}, body);
    await ask('HEAD', '/api/v1/openapi.json');
    await ask('GET', '/api/v1/nothing');
    const families = await read();
    const count = (operation: string, status: string) =>
      sampleOf(families, 'helpdesk_http_requests_total', { operation, status });
    expect(count('createTicketFromApplication', '201')).toBe(2);
    expect(count('createTicketFromApplication', '422')).toBe(1);
    expect(count('createTicketFromApplication', '401')).toBe(1);
    expect(count('readDocument', '200')).toBe(1);
    expect(count('none', '404')).toBe(1);
    const timed = { operation: 'createTicketFromApplication' };
    expect(sampleOf(families, 'helpdesk_http_request_duration_seconds_count', timed)).toBe(4);
    expect(sampleOf(families, 'helpdesk_http_request_duration_seconds_sum', timed)).toBeGreaterThan(0);
    expect(sampleOf(families, 'helpdesk_http_requests_in_flight')).toBe(2);
  });
});

describe('commits', () => {
  test('are counted with the writes that shared them', async () => {
    const { read, app } = await counting();
    const before = await read();
    await Promise.all(Array.from({ length: 20 }, () => app.desk.write(() => null)));
    const after = await read();
    const rise = (name: string) => (sampleOf(after, name) ?? 0) - (sampleOf(before, name) ?? 0);
    expect(rise('helpdesk_commit_steps_sum')).toBe(20);
    expect(rise('helpdesk_commit_duration_seconds_count')).toBe(rise('helpdesk_commit_steps_count'));
    expect(rise('helpdesk_commit_steps_count')).toBeLessThan(20);
    expect(rise('helpdesk_commit_duration_seconds_sum')).toBeGreaterThan(0);
  });

  test('that the storage refuses are counted apart', async () => {
    const { read, app } = await counting();
    const { client } = app.desk.store.writing;
    const pages = client.query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count ?? 0;
    client.run(`PRAGMA max_page_count = ${pages}`);
    const filling = app.desk.write((tx) => {
      query(tx, "INSERT INTO events (kind, site_id, actor, data, created_at) VALUES ('x', 1, '{}', ?, 0)").run(
        'x'.repeat(10_000_000),
      );
      return null;
    });
    await expect(filling).rejects.toThrow('The disk is full');
    expect(sampleOf(await read(), 'helpdesk_commits_failed_total')).toBe(1);
  });
});

describe('the outbox', () => {
  function dispatching(made: Counting) {
    const { desk, edge } = made.app;
    const options: DispatcherOptions = {
      desk,
      blobs: edge.blobs,
      mailBlobs: edge.blobs,
      scanner: null,
      log: silentLog,
      reader: inlineReader,
      guard: { allow: parseAllowList('127.0.0.1'), timeoutMs: 30_000 },
      transport: {
        atOnce: 1,
        send: () => Promise.resolve({ ended: { kind: 'accepted' }, response: null, error: null }),
        giveUp: () => undefined,
        close: () => undefined,
      },
      mail: {
        baseUrl: edge.baseUrl,
        inboundDomain: 'desk.example',
        from: 'desk@desk.example',
        deskId: 'x',
        hasServer: true,
      },
      readReport: (report) => mailedNumbers(desk, report),
      retryDelaysMs: [],
      onAttempt: made.metrics.onAttempt,
    };
    return createDispatcher(options);
  }

  test('tells what waits, for how long, and what became of each try', async () => {
    const made = await counting();
    const { app, read } = made;
    const { desk } = app;
    const ctx = () => desk.context({ kind: 'command_line' }, 'test');
    const receiver = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('', { status: 404 }) });
    const add = (name: string) =>
      desk.write((tx) =>
        addChannel(tx, ctx(), app.site.slug, {
          name,
          type: 'slack',
          webhook_url: `http://127.0.0.1:${receiver.port}/${name}`,
          events: ['ticket.created'],
        }),
      );
    await add('one');
    const held = await add('two');
    await app.open();
    await desk.write((tx) => channels.change(tx, ctx(), app.site.slug, held.channel.id, { is_active: false }, null));
    app.clock.advance(90_000);
    const before = await read();
    expect(sampleOf(before, 'helpdesk_outbox_queued', { kind: 'webhook' })).toBe(2);
    expect(sampleOf(before, 'helpdesk_outbox_queued', { kind: 'mail' })).toBe(1);
    expect(sampleOf(before, 'helpdesk_outbox_oldest_due_seconds', { kind: 'webhook' })).toBe(90);
    expect(sampleOf(before, 'helpdesk_outbox_oldest_due_seconds', { kind: 'mail' })).toBe(90);
    const dispatcher = dispatching(made);
    await dispatcher.runDue();
    await dispatcher.stop();
    receiver.stop(true);
    const after = await read();
    expect(sampleOf(after, 'helpdesk_delivery_tries_total', { kind: 'mail', outcome: 'delivered' })).toBe(1);
    expect(sampleOf(after, 'helpdesk_delivery_tries_total', { kind: 'slack', outcome: 'failed' })).toBe(1);
    expect(sampleOf(after, 'helpdesk_delivery_tries_total', { kind: 'slack', outcome: 'delivered' })).toBe(0);
    expect(sampleOf(after, 'helpdesk_delivery_try_duration_seconds_count', { kind: 'slack' })).toBe(1);
    // Deliveries that a disabled channel holds are queued, but wake no one.
    expect(sampleOf(after, 'helpdesk_outbox_queued', { kind: 'webhook' })).toBe(1);
    expect(sampleOf(after, 'helpdesk_outbox_oldest_due_seconds', { kind: 'webhook' })).toBe(0);
  });

  test('is not overdue before its time', async () => {
    const { app, read } = await counting();
    await app.open();
    app.desk.store.writing.client.run('UPDATE deliveries SET next_at = ?', [app.clock.now() + 60_000]);
    expect(sampleOf(await read(), 'helpdesk_outbox_oldest_due_seconds', { kind: 'mail' })).toBe(0);
  });
});

test('mail that arrives is counted by what became of it', async () => {
  const { app, metrics, read } = await counting();
  app.edge.mailroom = createMailroom({
    desk: app.desk,
    blobs: app.edge.blobs,
    mailBlobs: app.edge.blobs,
    log: silentLog,
    reader: inlineReader,
    fetchText: () => Promise.reject(new Error('no network in tests')),
    onFiled: metrics.onFiled,
  });
  const send = (body: string) => app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, { body });
  const mail =
    'From: Mia <mia@example.org>\r\nTo: shop@desk.example\r\nSubject: Hi\r\nMessage-ID: <1@example.org>\r\n\r\nHello';
  await send(mail);
  await send(mail);
  await send('Subject: From no one\r\n\r\nHello');
  const families = await read();
  const count = (outcome: string) => sampleOf(families, 'helpdesk_inbound_mail_total', { outcome });
  expect([count('ticket_created'), count('duplicate'), count('failed'), count('held')]).toEqual([1, 1, 1, 0]);
  expect(sampleOf(families, 'helpdesk_inbound_mail_unfiled')).toBe(0);
});

test('the clocks tell how far behind the scan is', async () => {
  const { app, metrics, read } = await counting();
  await app.open();
  const { client } = app.desk.store.writing;
  client.run('UPDATE tickets SET sla_next_at = ?', [app.clock.now() - 180_000]);
  metrics.onScan({ durationMs: 40, signalled: 3 });
  const families = await read();
  expect(sampleOf(families, 'helpdesk_sla_scan_lag_seconds')).toBe(180);
  expect(sampleOf(families, 'helpdesk_sla_signals_total')).toBe(3);
  expect(sampleOf(families, 'helpdesk_sla_last_scan_timestamp_seconds')).toBe(app.clock.now() / 1000);
  expect(sampleOf(families, 'helpdesk_sla_scan_duration_seconds_bucket', { le: '0.1' })).toBe(1);
});

describe('the database', () => {
  test('tells its sizes', async () => {
    const { app, read } = await counting();
    const families = await read();
    const pages = query<{ page_count: number }>(app.desk.store.reading, 'PRAGMA page_count').get()?.page_count;
    const wal = sampleOf(families, 'helpdesk_database_file_bytes', { file: 'wal' });
    expect(wal).toBe(Bun.file(`${app.path}-wal`).size);
    expect(sampleOf(families, 'helpdesk_database_file_bytes', { file: 'database' })).toBe(Bun.file(app.path).size);
    expect(sampleOf(families, 'helpdesk_database_pages')).toBe(pages);
    expect(sampleOf(families, 'helpdesk_disk_free_bytes')).toBeGreaterThan(0);
  });

  test('that is away leaves out its figures, and the others are told', async () => {
    const { app, metrics } = await counting();
    await metrics.text();
    const { desk } = app;
    const read = desk.read;
    desk.read = () => {
      throw new Error('the mount is gone');
    };
    const away = parseExposition(await metrics.text());
    expect(sampleOf(away, 'helpdesk_database_readable')).toBe(0);
    for (const name of ['helpdesk_outbox_queued', 'helpdesk_database_pages', 'helpdesk_sla_scan_lag_seconds'])
      expect([name, away.get(name)?.samples]).toEqual([name, []]);
    expect(sampleOf(away, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
    desk.read = read;
    const back = parseExposition(await metrics.text());
    expect(sampleOf(back, 'helpdesk_database_readable')).toBe(1);
    expect(sampleOf(back, 'helpdesk_outbox_queued', { kind: 'mail' })).toBe(0);
  });

  test.each(Object.entries(measureTexts))('is asked by an index alone: %s', async (_, text) => {
    const { app } = await counting();
    const rows = query<{ detail: string }>(app.desk.store.reading, `EXPLAIN QUERY PLAN ${text}`).all();
    const looks = rows
      .map(({ detail }) => detail)
      .filter((detail) => /deliveries|tickets|inbound_mail|ticket_faults/.test(detail));
    expect(looks.length).toBeGreaterThan(0);
    // Tickets set aside are in a small table.
    for (const look of looks)
      expect(look).toMatch(
        /^(?:SEARCH|SCAN inbound_mail USING COVERING INDEX inbound_mail_unfiled|SCAN ticket_faults|USING INDEX ticket_faults)/,
      );
  });

  test('counts a long queue only so far', async () => {
    const { app, read } = await counting();
    app.desk.store.writing.client.run(
      `INSERT INTO deliveries (ulid, site_id, event, payload, status, next_at, created_at)
       WITH RECURSIVE row (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < 100005)
       SELECT n, ?, 'mail.acknowledgement', '{}', 'queued', ?, ? FROM row`,
      [app.site.id, app.clock.now() - 5000, app.clock.now()],
    );
    const families = await read();
    expect(sampleOf(families, 'helpdesk_outbox_queued', { kind: 'mail' })).toBe(100_000);
    expect(sampleOf(families, 'helpdesk_outbox_oldest_due_seconds', { kind: 'mail' })).toBe(5);
  });
});

describe('the samples in the documents', () => {
  const text = readFileSync(join(root, 'docs/operations/monitoring.md'), 'utf8');
  const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => Bun.YAML.parse(match[1] ?? ''));

  test('are a scrape configuration that asks for what is there', () => {
    const scrape = blocks.find((block) => typeof block === 'object' && block !== null && 'scrape_configs' in block) as {
      scrape_configs: { metrics_path: string; authorization: { type: string }; static_configs: unknown[] }[];
    };
    const [config] = scrape.scrape_configs;
    expect(config?.metrics_path).toBe('/metrics');
    expect(config?.authorization.type).toBe('Bearer');
  });

  test('alert on metrics that exist', () => {
    const alerts = blocks.find((block) => typeof block === 'object' && block !== null && 'groups' in block) as {
      groups: { rules: { alert: string; expr: string; for?: string; annotations: { summary: string } }[] }[];
    };
    const rules = alerts.groups.flatMap((group) => group.rules);
    expect(rules.length).toBe(3);
    const names = documented().map(([name]) => name);
    for (const { expr, annotations } of rules) {
      const used = expr.match(/\b(?:helpdesk|process)_\w+/g) ?? [];
      expect(used.length).toBeGreaterThan(0);
      for (const name of used) expect(names).toContain(name);
      expect(annotations.summary).not.toBe('');
    }
  });
});

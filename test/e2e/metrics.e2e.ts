// The executable counts from its first moment, and refuses metrics to requests through a proxy without the token.

import { expect, test } from 'bun:test';
import manifest from '../../package.json' with { type: 'json' };
import { parseExposition, sampleOf } from '../support/exposition.ts';
import { newDirectory, serve, siteAndToken, unlimited } from './executable.ts';

const token = 'scrape-me-0123456789';

test('metrics are there at once, count what is answered, and are kept from strangers', async () => {
  const directory = newDirectory();
  const running = await serve(directory.path, { ...unlimited, HELPDESK_METRICS_TOKEN: token });
  try {
    const read = async () => parseExposition(await (await fetch(`${running.url}/metrics`)).text());
    expect(sampleOf(await read(), 'helpdesk_database_readable')).toBe(1);
    const { siteToken } = await siteAndToken(directory.path);
    for (let at = 0; at < 5; at += 1) {
      const opened = await fetch(`${running.url}/api/v1/public/tickets`, {
        method: 'POST',
        headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'mia@example.org', subject: 'Hello', message: 'World' }),
      });
      expect(opened.status).toBe(201);
    }
    const families = await read();
    const created = { operation: 'createTicketFromApplication', status: '201' };
    expect(sampleOf(families, 'helpdesk_http_requests_total', created)).toBe(5);
    expect(sampleOf(families, 'helpdesk_commit_duration_seconds_count')).toBeGreaterThanOrEqual(5);
    expect(sampleOf(families, 'helpdesk_build_info', { version: manifest.version })).toBe(1);
    expect(sampleOf(families, 'helpdesk_snapshot_age_seconds')).toBeGreaterThanOrEqual(0);
    const asked = async (headers: Record<string, string>) =>
      (await fetch(`${running.url}/metrics`, { headers: { 'X-Forwarded-For': '203.0.113.9', ...headers } })).status;
    expect(await asked({})).toBe(401);
    expect(await asked({ Authorization: 'Bearer guess' })).toBe(401);
    expect(await asked({ Authorization: `Bearer ${token}` })).toBe(200);
  } finally {
    running.signal('SIGKILL');
    await running.exited;
    directory.remove();
  }
});

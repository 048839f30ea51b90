// What a customer never sees, and what a log never contains.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { pino } from 'pino';
import { type TestApp, testApp } from '../support/app.ts';
import { file } from './walks/step.ts';

let app: TestApp;
const lines: string[] = [];
beforeEach(async () => {
  lines.length = 0;
  const logger = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(line) });
  app = await testApp(
    {},
    {
      debug: (fields, message) => logger.debug(fields, message),
      info: (fields, message) => logger.info(fields, message),
      warn: (fields, message) => logger.warn(fields, message),
      error: (fields, message) => logger.error(fields, message),
    },
  );
});
afterEach(() => app.close());

test('the customer sees no note, context, agent address, internal field or internal file', async () => {
  const site = app.site.slug;
  await app.asTeam('POST', `/api/v1/sites/${site}/custom-fields`, {
    key: 'secret_field',
    label: 'Secret',
    type: 'text',
    is_author_visible: false,
  });
  await app.asTeam('POST', `/api/v1/sites/${site}/custom-fields`, { key: 'open_field', label: 'Open', type: 'text' });
  const { ulid, accessToken } = await app.open({
    context: { page: { url: 'https://shop.example/secret-page' } },
    custom_fields: { open_field: 'shown' },
  });
  await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, {
    custom_fields: { secret_field: 'hidden-value' },
    assigned_to: app.agentId,
    tags: ['hidden-tag'],
  });
  await app.asTeam('POST', `/api/v1/tickets/${ulid}/notes`, { body: 'hidden-note' });
  await app.asTeam('POST', `/api/v1/tickets/${ulid}/attachments`, file('hidden-file.txt'));
  const shown = await app.asTeam('POST', `/api/v1/tickets/${ulid}/attachments`, file('shown-file.txt'));
  await app.asTeam('POST', `/api/v1/tickets/${ulid}/messages`, {
    body: 'shown-answer',
    agent_id: app.agentId,
    attachment_ids: [shown.json.attachment.id],
  });
  const thread = await app.asSite('GET', `/api/v1/public/tickets/${ulid}?access_token=${accessToken}`);
  for (const there of ['shown-answer', 'shown-file.txt', 'open_field', 'Kim']) expect(thread.text).toContain(there);
  for (const hidden of ['hidden', 'secret', 'kim@agents.example', 'context', 'is_internal', 'tags', 'assignee'])
    expect(thread.text).not.toContain(hidden);
});

test('a log line has the request id, but no credential and nothing that a person wrote', async () => {
  const { ulid, accessToken } = await app.open({ subject: 'Grepme-subject', message: 'grepme-body' });
  await app.asSite('GET', `/api/v1/public/tickets/${ulid}?access_token=${accessToken}`);
  await app.asSite('POST', `/api/v1/public/tickets/${ulid}/messages?access_token=${accessToken}`, {
    body: 'grepme-reply',
  });
  const sent = await app.asSite(
    'POST',
    `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`,
    file('grepme-name.txt'),
  );
  await app.ask('GET', sent.json.attachment.url);
  await app.asTeam('GET', '/api/v1/tickets?q=grepme-search&email=mia@example.org');
  await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, {
    body: 'From: mia@example.org\r\n\r\ngrepme-mail',
  });
  await app.ask('GET', '/api/v1/tickets', { headers: { Authorization: 'Bearer grepme-token' } });
  await app.ask('GET', '/grepme-path/mia@example.org');
  const answer = await app.ask('GET', '/api/v1/sites', { headers: { 'X-Request-Id': 'my-request-1' } });
  expect(answer.headers.get('x-request-id')).toBe('my-request-1');
  const log = lines.join('');
  expect(lines.length).toBeGreaterThan(8);
  expect(log).toContain('"requestId":"my-request-1"');
  expect(log).toContain('"route":"/api/v1/public/tickets/{ulid}"');
  const signature = new URL(sent.json.attachment.url).searchParams.get('signature') ?? 'none';
  for (const secret of [accessToken, app.siteToken, app.inboundSecret, signature, ulid])
    expect(log).not.toContain(secret);
  expect(log).not.toMatch(/grepme|mia@|hd[stai]_/i);
});

test.each(['x'.repeat(500), '<script>', 'a b', 'ä'])(
  'a hostile request id %p is replaced by one of ours',
  async (id) => {
    const answer = await app.ask('GET', '/api/v1/openapi.json', { headers: { 'X-Request-Id': encodeURI(id) } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w=-]{1,128}$/);
  },
);

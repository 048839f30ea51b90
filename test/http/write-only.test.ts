// A token that can write but not read gets only the names of what it changed (docs/spec/api.md#team-tokens).

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TokenAbility } from '../../src/domain/actor.ts';
import { openApiDocument } from '../../src/http/wire/openapi.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { file } from './walks/step.ts';

let app: TestApp;
let ulid = '';
let other = '';
const secret = 'a secret that only readers may see';

beforeAll(async () => {
  app = await testApp();
  ({ ulid } = await app.open({
    name: secret,
    subject: secret,
    message: secret,
    context: { user: { external_id: 'u-1' } },
  }));
  ({ ulid: other } = await app.open({ subject: secret }));
  await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { description: secret });
});
afterAll(() => app.close());

async function as(abilities: TokenAbility[]) {
  const { secret: token } = await app.token(abilities);
  return async (method: string, path: string, body?: unknown) => {
    const answer = await app.ask(method, path, { headers: { Authorization: `Bearer ${token}` }, body });
    if (answer.status < 300 && !abilities.includes('read')) expectAsDocumented(method, path, answer.json);
    return answer;
  };
}

const shortSeen = new Set<string>();
const names = new Set(['id', 'ulid', 'reference', 'slug', 'signing_secret']);

function expectAsDocumented(method: string, path: string, json: unknown) {
  const found = app.operations.find(
    (one) => one.method === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  if (!found?.isShortWithoutRead || found.answer.schema === null) return;
  shortSeen.add(found.id);
  const shown = Object.values(json as Record<string, unknown>).flat();
  for (const part of shown.filter((one) => typeof one === 'object' && one !== null))
    expect(Object.keys(part as object).filter((name) => !names.has(name))).toEqual([]);
  const document = openApiDocument(app.operations, 'http://desk.example');
  const response = document.paths?.[found.path]?.[method.toLowerCase() as 'post']?.responses?.[found.answer.status];
  expect(JSON.stringify(response)).toContain('. Without the ability to read, only its names.');
  expect(JSON.stringify(response)).not.toContain('"anyOf"');
}

describe('a token with only write', () => {
  test('gets only the names of the ticket after any change, also an empty one', async () => {
    const ask = await as(['write']);
    for (const body of [{}, [], { status: 'open' }, { tags: ['a'] }]) {
      const { status, json, headers } = await ask('PATCH', `/api/v1/tickets/${ulid}`, body);
      expect(status).toBe(200);
      expect(json).toEqual({ data: { id: expect.any(Number), ulid, reference: expect.stringMatching(/^#/) } });
      expect(headers.get('etag')).toBeNull();
    }
    expect((await ask('GET', `/api/v1/tickets/${ulid}`)).status).toBe(403);
  });

  test('learns nothing about the author when it opens a ticket', async () => {
    const { json, status } = await (await as(['write']))('POST', '/api/v1/tickets', {
      site_id: app.site.id,
      email: 'mia@example.org',
      subject: 'Hello',
      message: 'World',
      context: { user: { external_id: 'u-1' } },
    });
    expect(status).toBe(201);
    expect(Object.keys(json.data)).toEqual(['id', 'ulid', 'reference']);
  });

  test('gets the names of the replies, notes and files that it made, and of the merged ticket', async () => {
    const ask = await as(['write']);
    const path = `/api/v1/tickets/${ulid}`;
    const reply = await ask('POST', `${path}/messages`, { body: 'Hi' });
    expect([reply.status, Object.keys(reply.json.reply)]).toEqual([201, ['id', 'ulid']]);
    const note = await ask('POST', `${path}/notes`, { body: 'Hi' });
    expect([note.status, Object.keys(note.json.note)]).toEqual([201, ['id', 'ulid']]);
    const attached = await ask('POST', `${path}/attachments`, file());
    expect([attached.status, Object.keys(attached.json.attachment)]).toEqual([201, ['id', 'ulid']]);
    const answered = await ask('POST', `${path}/messages`, {
      body: 'See there',
      attachment_ids: [attached.json.attachment.id],
    });
    expect([answered.status, Object.keys(answered.json.reply)]).toEqual([201, ['id', 'ulid']]);
    const merged = await ask('POST', `/api/v1/tickets/${other}/merge`, { into: ulid });
    expect([merged.status, Object.keys(merged.json.data)]).toEqual([200, ['id', 'ulid', 'reference']]);
    for (const { text } of [reply, note, attached, answered, merged]) expect(text).not.toContain(secret);
  });

  test('cannot do a dry run, which would show the rules', async () => {
    const run = await (await as(['write']))('POST', `/api/v1/sites/${app.site.slug}/inbound-rules/test`, {
      raw: 'A: b',
    });
    expect(run.status).toBe(403);
  });
});

test('gets only the names of sites and their configuration with manage', async () => {
  const ask = await as(['manage']);
  const site = `/api/v1/sites/${app.site.slug}`;
  const changed = await ask('PATCH', site, {});
  expect(changed.json).toEqual({ data: { id: app.site.id, ulid: app.site.ulid, slug: app.site.slug } });
  const rotated = await ask('POST', `${site}/token`, {});
  expect(Object.keys(rotated.json)).toEqual(['data', 'site_token']);
  const category = await ask('POST', `${site}/categories`, { name: 'Billing' });
  expect([category.status, category.json]).toEqual([201, { data: { id: expect.any(Number), slug: 'billing' } }]);
  const channel = await ask('POST', `${site}/webhook-channels`, {
    name: 'Team',
    type: 'custom',
    webhook_url: 'https://hooks.example.org/x',
    events: ['ticket.created'],
  });
  expect(Object.keys(channel.json.data)).toEqual(['id', 'signing_secret']);
  const tested = await ask('POST', `${site}/webhook-channels/${channel.json.data.id}/test`);
  expect([tested.status, Object.keys(tested.json.data)]).toEqual([201, ['id', 'ulid']]);
  await ask('POST', `${site}/webhook-channels/${channel.json.data.id}/secret`, {});
  await ask('PATCH', `${site}/webhook-channels/${channel.json.data.id}`, { name: 'Others' });
  const moved = await ask('POST', `${site}/sla/recompute`, { dry_run: true });
  expect([moved.status, moved.json.data]).toEqual([200, []]);
});

test('sees everything when it also has read', async () => {
  const { json, headers } = await (await as(['read', 'write']))('PATCH', `/api/v1/tickets/${ulid}`, {});
  expect(json.data.subject).toBe(secret);
  expect(headers.get('etag')).not.toBeNull();
});

test('at least twelve operations gave a short answer, each as documented', () => {
  expect(shortSeen.size).toBeGreaterThan(11);
});

// The OpenAPI document matches the desk: it is valid and complete, and every operation answers as it says.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { WebhookEvent } from '../../src/domain/event.ts';
import { admissionOf } from '../../src/http/credentials/access.ts';
import { isWrite } from '../../src/http/operation.ts';
import { allOperations } from '../../src/http/operations.ts';
import type { Notification } from '../../src/outbox/notification.ts';
import { customPayload } from '../../src/outbox/platforms/formats.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { pathOf, stepFor } from './walk.ts';

type Json = Record<string, unknown>;
let app: TestApp;
let document: { openapi: string; paths: Record<string, Record<string, Json>>; components: Json };
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);

beforeAll(async () => {
  app = await testApp();
  document = (await app.ask('GET', '/api/v1/openapi.json')).json;
  ajv.addSchema(document as unknown as Json, 'document');
});
afterAll(() => app.close());

const ids = (await allOperations({ next: () => Promise.resolve(), close: () => undefined }, 'http://x')).map(
  ({ id }) => id,
);

function resolved<Part>(part: Part): Part {
  const reference = (part as Json | undefined)?.$ref;
  if (typeof reference !== 'string') return part;
  const path = reference.split('/').slice(1);
  return path.reduce<unknown>((value, key) => (value as Json)[key], document) as Part;
}

/** Closes every object that lists its properties, so that an undocumented field is noticed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return closed(resolved(schema));
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (copy.properties && copy.additionalProperties === undefined) copy.additionalProperties = false;
  return copy;
}

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    const result = await new Validator().validate(structuredClone(document) as never);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  test('has every operation of the table and no other', () => {
    const documented = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(documented.sort()).toEqual([...ids].sort() as never);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('names the cluster position that writes return and reads can send', () => {
    for (const operation of app.operations) {
      const documented = document.paths[operation.path]?.[operation.method.toLowerCase()];
      const responses = documented?.responses as Record<string, { headers?: Json }>;
      const parameters = ((documented?.parameters ?? []) as { in: string; name: string }[]).map(resolved);
      const headers = responses[String(operation.answer.status)]?.headers ?? {};
      expect(Object.hasOwn(headers, 'X-Helpdesk-Position'), operation.id).toBe(isWrite(operation));
      const isSent = parameters.some(({ in: place, name }) => place === 'header' && name === 'X-Helpdesk-Position');
      expect(isSent, operation.id).toBe(!isWrite(operation) && !admissionOf(operation.access).isForEveryone);
    }
  });

  test('has an example of every error, all of one shape', () => {
    for (const methods of Object.values(document.paths)) {
      for (const operation of Object.values(methods)) {
        const responses = operation.responses as Record<string, { content?: Record<string, { example?: Json }> }>;
        const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400 && Number(status) !== 416);
        expect(errors.length).toBeGreaterThan(2);
        for (const [status, response] of errors) {
          const example = resolved(response).content?.['application/json']?.example;
          expect(Object.keys(example ?? {}).sort(), `${String(operation.operationId)} ${status}`).toEqual(
            status === '422' ? ['code', 'errors', 'message', 'request_id'] : ['code', 'message', 'request_id'],
          );
        }
      }
    }
  });
});

describe('what generators need', () => {
  const everywhere = (visit: (schema: Json, path: string) => void) => {
    const walk = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null || path.endsWith('/example') || path.endsWith('/examples'))
        return;
      visit(value as Json, path);
      for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`);
    };
    walk(document, '#');
  };

  test('is about half a megabyte, because errors are described once', async () => {
    const responses = (document.components as { responses: Json }).responses;
    expect(Object.keys(responses)).toHaveLength(13);
    expect(JSON.stringify(document).length).toBeLessThan(540_000 * 1024);
    for (const methods of Object.values(document.paths))
      for (const operation of Object.values(methods))
        for (const [status, response] of Object.entries(operation.responses as Json))
          if (Number(status) >= 400 && status !== '416') expect(response).toHaveProperty('$ref');
  });

  test('a value can have the type that the document says', () => {
    everywhere((schema, path) => {
      if (schema.type === 'boolean') expect(schema, path).not.toHaveProperty('enum');
      if (schema.type === 'integer') expect(schema, path).not.toHaveProperty('pattern');
    });
  });

  test('the id of a site is an integer wherever it is called site_id', () => {
    const types = new Set<string>();
    everywhere((schema) => {
      const named = schema.name === 'site_id' ? schema.schema : (schema.properties as Json | undefined)?.site_id;
      if (named) types.add(JSON.stringify((named as Json).type));
    });
    expect([...types].sort()).toEqual(['"integer"', '["integer","null"]']);
  });

  test('shared parts of tickets and sites have names', () => {
    const { schemas } = document.components as { schemas: Record<string, { properties: Json }> };
    expect(schemas.Ticket?.properties.sla).toEqual({ $ref: '#/components/schemas/SlaState' });
    expect(schemas.Site?.properties.sla_policy).toEqual({ $ref: '#/components/schemas/SlaPolicy' });
    expect(JSON.stringify(schemas.SlaPolicy)).toContain('"weekly":{"$ref":"#/components/schemas/WeeklyHours"}');
  });

  test('a 429 has the headers that it says', async () => {
    const limited = await testApp({ ingestCaller: 1 });
    const ask = () => limited.asSite('GET', '/api/v1/public/config');
    await ask();
    const answer = await ask();
    expect(answer.status).toBe(429);
    const { TooManyRequests } = (document.components as { responses: Record<string, { headers: Json }> }).responses;
    expect(Object.keys(TooManyRequests?.headers ?? {})).toHaveLength(4);
    for (const [name, header] of Object.entries(TooManyRequests?.headers ?? {}))
      expect(ajv.compile(resolved(header as Json).schema as Json)(Number(answer.headers.get(name))), name).toBe(true);
    await limited.close();
  });

  test('there is an introduction, every group is explained, and every ingest call has words', () => {
    const { info, tags } = document as unknown as { info: Json; tags: { name: string; description: string }[] };
    expect(String(info.description)).toContain('## Who calls it');
    for (const { name, description } of tags) expect(description, name).toEndWith('.');
    const used = new Set(app.operations.map(({ tag }) => tag));
    expect(tags.map(({ name }) => name).filter((name) => !used.has(name as never))).toEqual([]);
    for (const { id, description } of app.operations.filter(({ tag }) => tag === 'Ingest'))
      expect((description ?? '').length, id).toBeGreaterThan(60);
  });
});

describe('a webhook', () => {
  const ticket = { ulid: '01K4VJ8Q4N7RM2ZC6B0T3XWYDE', id: 41, reference: '#41', subject: 'Hello' };
  const envelope = {
    deliveryId: '01K4VJ8Q4N7RM2ZC6B0T3XWYDE',
    at: 0,
    url: 'https://desk.example.org/tickets/x',
    site: { id: 1, slug: 'web-shop', name: 'Web shop' },
    ticket: {
      ...ticket,
      status: 'open',
      priority: null,
      authorName: null,
      participants: [{ email: 'bo@example.org', name: null }],
    },
  };
  const message = {
    ulid: ticket.ulid,
    body: 'Hi',
    isAgent: false,
    agentName: null,
    authorName: 'Mia',
    authorExternalId: null,
  };
  const deadline = { type: 'resolution' as const, minutesRemaining: -3.5, dueAt: 0 };
  const notifications: Record<WebhookEvent | 'channel.test', Notification> = {
    'ticket.created': { ...envelope, event: 'ticket.created', message },
    'ticket.replied': {
      ...envelope,
      event: 'ticket.replied',
      message: { ...message, isAgent: true, agentName: 'Kim' },
    },
    'ticket.status_changed': { ...envelope, event: 'ticket.status_changed', oldStatus: 'open', newStatus: 'closed' },
    'ticket.assigned': { ...envelope, event: 'ticket.assigned', assignee: { id: 3, name: 'Kim' }, team: null },
    'ticket.participants_changed': {
      ...envelope,
      event: 'ticket.participants_changed',
      changes: { added: [{ email: 'bo@example.org', name: 'Bo' }], back: [], removed: [], paused: [] },
      leftOut: 3,
    },
    'ticket.rated': { ...envelope, event: 'ticket.rated', rating: 'bad', comment: 'Too slow.' },
    'ticket.sla_warning': { ...envelope, event: 'ticket.sla_warning', deadline },
    'ticket.sla_breached': { ...envelope, event: 'ticket.sla_breached', deadline },
    'mailbox.alarm': {
      ...envelope,
      event: 'mailbox.alarm',
      ticket: null,
      mailboxId: 3,
      address: 'help@shop.example',
      alarm: 'failing',
      reason: 'The server cannot be reached.',
    },
    'inbound.held': { ...envelope, event: 'inbound.held', ticket: null },
    'channel.disabled': {
      ...{ ...envelope, event: 'channel.disabled', ticket: null },
      ...{ channelId: 4, channelName: 'Team', reason: 'The receiver answered 410 Gone.' },
    },
    'backup.failed': { ...envelope, event: 'backup.failed', ticket: null },
    'disk.low': { ...envelope, event: 'disk.low', ticket: null },
    'channel.test': { ...envelope, event: 'channel.test', ticket: null, channelName: 'Team' },
  };

  test.each(Object.entries(notifications))('%s is sent as the document says', (event, notification) => {
    const { webhooks } = document as unknown as { webhooks: Record<string, { post: { requestBody: Json } }> };
    expect(Object.keys(webhooks).sort()).toEqual(Object.keys(notifications).sort());
    const { requestBody } = webhooks[event]?.post ?? {};
    const { content } = requestBody as { content: { 'application/json': { schema: Json } } };
    const judge = ajv.compile(closed(content['application/json'].schema) as Json);
    judge(JSON.parse(JSON.stringify(customPayload(notification))));
    expect(judge.errors ?? []).toEqual([]);
  });
});

describe('each operation answers as the document says', () => {
  test.each(ids)('%s', async (id) => {
    const operation = app.operations.find((one) => one.id === id);
    if (!operation) throw new Error(id);
    const step = await stepFor(app, id);
    const headers = { ...(await app.welcome(operation)), ...step.headers };
    const body = step.form ? step.form() : step.body;
    const answer = await app.ask(operation.method, pathOf(operation.path, step), { headers, body });
    expect(answer.status, answer.text).toBe(operation.answer.status);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    // What is the same for everyone can be cached; customers' data and refusals must not be.
    expect(answer.headers.get('cache-control')).toStartWith(
      admissionOf(operation.access).isForEveryone ? 'public' : 'no-store',
    );
    const refused = await app.ask(operation.method === 'PATCH' ? 'PUT' : 'PATCH', pathOf(operation.path, step));
    expect([refused.status >= 400, refused.headers.get('cache-control')]).toEqual([true, 'no-store']);
    const documented = document.paths[operation.path]?.[operation.method.toLowerCase()] as {
      responses: Record<string, { content?: Record<string, { schema: Json }> }>;
    };
    const schema = documented.responses[String(answer.status)]?.content?.['application/json']?.schema;
    if (!schema) {
      expect(operation.answer.schema).toBeNull();
      return;
    }
    // The document describes itself only in outline.
    const judge = ajv.compile((id === 'readDocument' ? schema : closed(schema)) as Json);
    judge(answer.json);
    expect(judge.errors ?? []).toEqual([]);
    if (operation.hasEtag)
      expect(answer.headers.get('etag') ?? (operation.method === 'DELETE' ? 'none' : null)).toBeTruthy();
  });
});

test('every JSON body has an example, which its schema takes', () => {
  const bodies = app.operations.filter(({ body }) => body);
  expect(bodies.length).toBeGreaterThan(25);
  for (const { id, path, method, body, isBodyOptional } of bodies) {
    const documented = document.paths[path]?.[method.toLowerCase()]?.requestBody as {
      content: { 'application/json': { example: Json } };
    };
    const { example } = documented.content['application/json'];
    expect(body?.safeParse(example).error, id).toBeUndefined();
    if (!isBodyOptional) expect(Object.keys(example), id).not.toEqual([]);
  }
});

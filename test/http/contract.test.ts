// The OpenAPI document matches the desk: it is valid and complete, and every operation answers as it says.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { admissionOf } from '../../src/http/credentials/access.ts';
import { isWrite } from '../../src/http/operation.ts';
import { allOperations } from '../../src/http/operations.ts';
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

const ids = allOperations({ next: () => Promise.resolve(), close: () => undefined }, 'http://x').map(({ id }) => id);

/** Closes every object that lists its properties, so that an undocumented field is noticed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const reference = (schema as Json).$ref;
  if (typeof reference === 'string') {
    const at = reference
      .split('/')
      .slice(1)
      .reduce<unknown>((value, key) => (value as Json)[key], document);
    return closed(at);
  }
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
      const parameters = (documented?.parameters ?? []) as { in: string; name: string }[];
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
        for (const [status, { content }] of errors) {
          const example = content?.['application/json']?.example;
          expect(Object.keys(example ?? {}).sort(), `${String(operation.operationId)} ${status}`).toEqual(
            status === '422' ? ['code', 'errors', 'message', 'request_id'] : ['code', 'message', 'request_id'],
          );
        }
      }
    }
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

// The OpenAPI 3.1 document, from the schemas that also validate requests.

import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { version } from '../../base/version.ts';
import { positionHeader } from '../cluster.ts';
import { admissionOf, admits, credentialSchemes } from '../credentials/access.ts';
import { isWrite, type Operation } from '../operation.ts';
import { introduction, tags } from './api-guide.ts';
import { errorResponse } from './openapi-errors.ts';
import { webhooks } from './outbox/webhooks.ts';

export function errorStatuses(operation: Operation): number[] {
  const list = new Set<number>(operation.errors ?? []);
  const { ways, failures, isGuarded } = admissionOf(operation.access);
  if (ways.length > 0 || failures.includes('unauthenticated')) list.add(401);
  if (failures.includes('gone')) list.add(410);
  if (admits(operation.access, 'session') || (isGuarded && operation.method !== 'GET')) list.add(403);
  if (operation.query) list.add(400);
  if (operation.body) for (const status of [400, 413, 415, 422]) list.add(status);
  if (operation.isUpload) for (const status of [400, 422]) list.add(status);
  if (operation.method === 'POST') for (const status of [400, 409]) list.add(status);
  for (const status of [429, 500, 503]) list.add(status);
  return [...list].sort((a, b) => a - b);
}

function pathParameters(operation: Operation) {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  if (names.length === 0) return undefined;
  const meanings: Record<string, string> = {
    site: 'id, ulid or slug',
    ticket: 'ulid or id',
    message: 'ulid',
    ulid: 'ulid',
    id: 'id',
  };
  return z.object(
    Object.fromEntries(names.map((name) => [name, z.string().meta({ description: meanings[name] ?? name })])),
  );
}

const position = z
  .string()
  .regex(/^[0-9a-f]{16}\/[0-9a-f]{16}$/)
  .meta({ examples: ['0000000000000a2f/c3b1f0e2d4a59687'] });

const writtenHeaders = z.object({
  [positionHeader]: position.optional().meta({
    description:
      'On a desk with several machines: the position of the database after this write. A read that sends it, to any machine, includes this write.',
    header: { id: 'Position' },
  }),
});

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .meta({
    description:
      'Up to 255 visible ASCII characters. The first answer is kept for 24 hours, and a repeated request gets it again.',
    param: { id: 'IdempotencyKey' },
  });

const readPosition = position.optional().meta({
  description:
    'On a desk with several machines: this header from the answer to a write. The answer then includes that write.',
  param: { id: 'Position' },
});

const ifMatch = z
  .string()
  .optional()
  .meta({ description: 'The ETag that the change is based on.', param: { id: 'IfMatch' } });

const ifNoneMatch = z
  .string()
  .optional()
  .meta({
    description: 'ETags that the caller has: 304 without a body if it is one of them.',
    param: { id: 'IfNoneMatch' },
  });

function headerParameters(operation: Operation) {
  const headers: Record<string, z.ZodType> = {};
  if (operation.method === 'POST') headers['Idempotency-Key'] = idempotencyKey;
  if (operation.hasEtag && operation.method !== 'GET') headers['If-Match'] = ifMatch;
  if (operation.hasEtag && operation.method === 'GET') headers['If-None-Match'] = ifNoneMatch;
  if (!isWrite(operation) && !admissionOf(operation.access).isForEveryone) headers[positionHeader] = readPosition;
  return Object.keys(headers).length > 0 ? z.object(headers) : undefined;
}

function securityOf({ access }: Operation): Record<string, string[]>[] {
  return admissionOf(access).ways.map((way) => Object.fromEntries(way.map((name) => [name, []])));
}

function requestBody(operation: Operation): ZodOpenApiOperationObject['requestBody'] {
  if (operation.isUpload) {
    return {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: {
              file: {
                type: 'string',
                contentMediaType: 'application/octet-stream',
                description: 'At most 10 MB, unless the site has another limit.',
              },
              message_id: { type: 'string', description: 'The message that the file belongs to.' },
            },
          },
        },
      },
    };
  }
  if (!operation.body) return undefined;
  const content = { 'application/json': { schema: operation.body, example: exampleOf(operation.body) } };
  return { required: !operation.isBodyOptional, content };
}

function examplesOf(schema: z.ZodType): readonly unknown[] | undefined {
  return (schema.meta() as { examples?: readonly unknown[] } | undefined)?.examples;
}

function exampleOf(body: z.ZodType): Record<string, unknown> {
  const own = examplesOf(body)?.[0];
  if (own !== undefined) return own as Record<string, unknown>;
  if (!(body instanceof z.ZodObject)) return {};
  const fields = Object.entries(body.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const [example] = examplesOf(field) ?? innerExamples(field) ?? [];
    return example === undefined ? [] : [[name, example] as const];
  });
  return Object.fromEntries(fields);
}

function innerExamples(field: z.ZodType): readonly unknown[] | undefined {
  if (field instanceof z.ZodArray) {
    const entries = examplesOf(field.element as z.ZodType);
    return entries && [entries];
  }
  if (!(field instanceof z.ZodOptional || field instanceof z.ZodNullable)) return undefined;
  const inner = field.unwrap() as z.ZodType;
  return examplesOf(inner) ?? innerExamples(inner);
}

function otherAnswer({ otherAnswer: other }: Operation) {
  if (!other) return {};
  const { status, description, schema } = other;
  return { [String(status)]: { description, content: { 'application/json': { schema } } } };
}

export function openApiDocument(operations: readonly Operation[], baseUrl: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const { status, schema, description, contentType, orText } = operation.answer;
    const { isShortWithoutRead } = operation;
    const path = pathParameters(operation);
    const header = headerParameters(operation);
    const body = requestBody(operation);
    const text = { schema: { type: 'string' as const } };
    const content = schema
      ? {
          content: {
            'application/json': { schema },
            ...(orText ? { [orText]: text } : {}),
          },
        }
      : contentType
        ? { content: { [contentType]: text } }
        : {};
    const entry: ZodOpenApiOperationObject = {
      operationId: operation.id,
      tags: [operation.tag],
      summary: operation.summary,
      ...(operation.description ? { description: operation.description } : {}),
      security: securityOf(operation),
      requestParams: {
        ...(path ? { path } : {}),
        ...(operation.query ? { query: operation.query } : {}),
        ...(header ? { header } : {}),
      },
      ...(body ? { requestBody: body } : {}),
      responses: {
        [String(status)]: {
          description: isShortWithoutRead
            ? `${description}. Without the ability to read, only its names.`
            : description,
          ...(isWrite(operation) ? { headers: writtenHeaders } : {}),
          ...content,
        },
        ...otherAnswer(operation),
        ...(operation.hasEtag && operation.method === 'GET' ? { '304': { description: 'Unchanged' } } : {}),
        ...(operation.id === 'downloadAttachment'
          ? { '206': { description: 'The requested range' }, '416': { description: 'The range is outside the file' } }
          : {}),
        ...Object.fromEntries(errorStatuses(operation).map((error) => [String(error), errorResponse(error)])),
      },
    };
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: entry };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: { title: 'Helpdesk', version, description: introduction, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: baseUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: { securitySchemes: credentialSchemes },
  };
  const made = createDocument(document, {
    // Answers stay open to new fields, and a part is the same in bodies and in answers.
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  simplify(made);
  return made;
}

const safe = Number.MAX_SAFE_INTEGER;
const isOneOf = (type: unknown, name: string) => type === name || (Array.isArray(type) && type.includes(name));
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Leaves out how a text is decoded and what every client knows. */
function simplify(value: unknown): void {
  if (!isObject(value)) return;
  if (Array.isArray(value.anyOf) && value.anyOf.length === 2) nullable(value, value.anyOf);
  const { type } = value;
  const isInteger = isOneOf(type, 'integer');
  if (isInteger && value.maximum === safe) delete value.maximum;
  if (isInteger && value.minimum === -safe) delete value.minimum;
  if (type === 'boolean') delete value.enum;
  if (isInteger || value.format === 'date-time') delete value.pattern;
  for (const [key, inner] of Object.entries(value)) if (!key.startsWith('example')) simplify(inner);
}

/** One type or null, where `anyOf` says so: generators name each `anyOf` as a type of its own. */
function nullable(schema: Record<string, unknown>, [first, second]: unknown[]): void {
  if (!isObject(first) || !isObject(second) || second.type !== 'null') return;
  if (typeof first.type !== 'string' || first.enum !== undefined || first.properties !== undefined) return;
  delete schema.anyOf;
  Object.assign(schema, { ...first, ...schema, type: [first.type, 'null'] });
}

// The OpenAPI 3.1 document, from the schemas that also validate requests.

import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { version } from '../../base/version.ts';
import { maxAttachmentBytes } from '../../files/sniff.ts';
import { positionHeader } from '../cluster.ts';
import { admissionOf, admits, credentialSchemes } from '../credentials/access.ts';
import { isWrite, type Operation } from '../operation.ts';
import { shortOf } from '../write-only-answer.ts';
import * as shapes from './shapes.ts';

const descriptions: Record<number, string> = {
  400: 'Malformed JSON, query or Idempotency-Key',
  401: 'The credential is missing or unknown',
  403: 'The credential lacks the ability',
  404: "Unknown, or outside the credential's scope",
  405: 'The path does not take this method; see Allow',
  409: 'A conflict with the current state, or an Idempotency-Key that was used for another request',
  410: 'The link was used or has expired',
  412: 'Changed since the version in If-Match',
  413: 'The body is too large',
  415: 'Unsupported media type',
  422: 'Invalid fields; errors lists them by path',
  429: 'Too many requests; see Retry-After',
  500: 'An internal error; nothing was changed',
  503: 'Temporarily unavailable; see Retry-After',
};
const codes: Record<number, string> = {
  400: 'bad_request',
  401: 'unknown_token',
  403: 'missing_ability',
  404: 'not_found',
  409: 'conflict',
  410: 'link_expired',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable',
};

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

function errorResponse(status: number) {
  const example = {
    message: descriptions[status],
    code: codes[status],
    ...(status === 422 ? { errors: { subject: ['The subject field is required.'] } } : {}),
    request_id: '5f0c2f6e-3c7b-4f0e-9a55-0d2f3b1c7a11',
  };
  return {
    description: descriptions[status] ?? '',
    content: { 'application/json': { schema: shapes.errorShape, example } },
  };
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
  }),
});

function headerParameters(operation: Operation) {
  const headers: Record<string, z.ZodType> = {};
  if (operation.method === 'POST') {
    headers['Idempotency-Key'] = z.string().min(1).max(255).optional().meta({
      description:
        'Up to 255 visible ASCII characters. The first answer is kept for 24 hours, and a repeated request gets it again.',
    });
  }
  if (operation.hasEtag && operation.method !== 'GET') {
    headers['If-Match'] = z.string().optional().meta({ description: 'The ETag that the change is based on.' });
  }
  if (operation.hasEtag && operation.method === 'GET') headers['If-None-Match'] = z.string().optional();
  if (!isWrite(operation) && !admissionOf(operation.access).isForEveryone) {
    headers[positionHeader] = position.optional().meta({
      description:
        'On a desk with several machines: this header from the answer to a write. The answer then includes that write.',
    });
  }
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
                description: `At most ${maxAttachmentBytes} bytes.`,
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
            'application/json': { schema: isShortWithoutRead ? z.union([schema, shortOf(schema)]) : schema },
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
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Helpdesk',
      version,
      description:
        'A multi-site support desk. Applications open tickets through the ingest API (X-Site-Token), customers read and reply with the access token of their ticket, and agents work with a team token (Bearer) or sign in (cookie).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: credentialSchemes,
    },
  });
}

// The errors in the OpenAPI document, each described once.

import * as z from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { errorShape } from './shapes.ts';

const described: Record<number, { name: string; code: string; description: string }> = {
  400: { name: 'BadRequest', code: 'bad_request', description: 'Malformed JSON, query or Idempotency-Key' },
  401: { name: 'Unauthenticated', code: 'unknown_token', description: 'The credential is missing or unknown' },
  403: { name: 'Forbidden', code: 'missing_ability', description: 'The credential lacks the ability' },
  404: { name: 'NotFound', code: 'not_found', description: "Unknown, or outside the credential's scope" },
  409: {
    name: 'Conflict',
    code: 'conflict',
    description: 'A conflict with the current state, or an Idempotency-Key that was used for another request',
  },
  410: { name: 'Gone', code: 'link_expired', description: 'The link was used or has expired' },
  412: {
    name: 'PreconditionFailed',
    code: 'precondition_failed',
    description: 'Changed since the version in If-Match',
  },
  413: { name: 'PayloadTooLarge', code: 'payload_too_large', description: 'The body is too large' },
  415: { name: 'UnsupportedMediaType', code: 'unsupported_media_type', description: 'Unsupported media type' },
  422: {
    name: 'ValidationFailed',
    code: 'validation_failed',
    description: 'Invalid fields; errors lists them by path',
  },
  429: { name: 'TooManyRequests', code: 'rate_limited', description: 'Too many requests; see Retry-After' },
  500: { name: 'InternalError', code: 'internal_error', description: 'An internal error; nothing was changed' },
  503: { name: 'Unavailable', code: 'unavailable', description: 'Temporarily unavailable; see Retry-After' },
};

const retryAfter = z
  .int()
  .min(1)
  .meta({ description: 'Seconds to wait', header: { id: 'RetryAfter' } });

const rateLimitHeaders = {
  'X-RateLimit-Limit': z.int().meta({ description: 'Requests in a minute', header: { id: 'RateLimit' } }),
  'X-RateLimit-Remaining': z.int().meta({ description: 'Requests left', header: { id: 'RateLimitRemaining' } }),
  'X-RateLimit-Reset': z
    .int()
    .meta({ description: 'When the next request is taken, in seconds since 1970', header: { id: 'RateLimitReset' } }),
};

const headers: Record<number, z.ZodObject> = {
  429: z.object({ 'Retry-After': retryAfter, ...rateLimitHeaders }),
  503: z.object({ 'Retry-After': retryAfter.optional() }),
};

const responses = new Map(
  Object.entries(described).map(([key, { name, code, description }]) => {
    const status = Number(key);
    const example = {
      message: status === 422 ? 'The subject field is required.' : `${description}.`,
      code,
      ...(status === 422 ? { errors: { subject: ['The subject field is required.'] } } : {}),
      request_id: '5f0c2f6e-3c7b-4f0e-9a55-0d2f3b1c7a11',
    };
    const response: ZodOpenApiResponseObject = {
      id: name,
      description,
      ...(headers[status] ? { headers: headers[status] } : {}),
      content: { 'application/json': { schema: errorShape, example } },
    };
    return [status, response] as const;
  }),
);

export function errorResponse(status: number): ZodOpenApiResponseObject {
  const response = responses.get(status);
  if (!response) throw new Error(`the document does not describe ${status}`);
  return response;
}

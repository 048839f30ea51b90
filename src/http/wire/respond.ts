// Answers: envelopes, errors and ETags.

import type { DeskError, ErrorCode } from '../../domain/errors.ts';

const statuses: Record<ErrorCode, number> = {
  invalid: 422,
  malformed: 400,
  not_found: 404,
  unauthenticated: 401,
  forbidden: 403,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported: 415,
  rate_limited: 429,
  unavailable: 503,
};
const wireCodes: Record<ErrorCode, string> = {
  invalid: 'validation_failed',
  malformed: 'bad_request',
  not_found: 'not_found',
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  conflict: 'conflict',
  gone: 'link_expired',
  precondition_failed: 'precondition_failed',
  too_large: 'payload_too_large',
  unsupported: 'unsupported_media_type',
  rate_limited: 'rate_limited',
  unavailable: 'unavailable',
};

export function statusOf(code: ErrorCode): number {
  return statuses[code];
}

export interface Reply {
  status: number;
  body: string;
  headers: Record<string, string>;
}

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, body: JSON.stringify(value), headers };
}

export function emptyReply(status: number, headers: Record<string, string> = {}): Reply {
  return { status, body: '', headers };
}

export function errorReply(error: DeskError, requestId: string): Reply {
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
  if (error.code === 'unauthenticated') headers['WWW-Authenticate'] = 'Bearer';
  const body: Record<string, unknown> = { message: error.message, code: error.reason ?? wireCodes[error.code] };
  if (error.code === 'invalid' || error.errors) body.errors = error.errors ?? {};
  body.request_id = requestId;
  return jsonReply(statuses[error.code], body, headers);
}

export function crashReply(requestId: string): Reply {
  return jsonReply(500, {
    message: 'An internal error occurred. Nothing was changed. The log has the details under this request id.',
    code: 'internal_error',
    request_id: requestId,
  });
}

export function methodReply(allowed: readonly string[], requestId: string): Reply {
  return jsonReply(
    405,
    { message: `This path supports only ${allowed.join(', ')}.`, code: 'method_not_allowed', request_id: requestId },
    { Allow: allowed.join(', ') },
  );
}

export function toResponse(reply: Reply): Response {
  if (reply.body === '') return new Response(null, { status: reply.status, headers: reply.headers });
  return new Response(reply.body, {
    status: reply.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...reply.headers },
  });
}

export const mostPerPage = 100;

export interface Page {
  page: number;
  perPage: number;
  /** The caller asked for the whole list; `perPage` is only the limit of one answer. */
  isWhole?: true;
}

interface PageBody<Row> {
  data: readonly Row[];
  links: Record<'first' | 'last' | 'prev' | 'next', string | null>;
  meta: { current_page: number; last_page: number; per_page: number; total: number };
}

/**
 * docs/spec/api.md#lists
 * @param url the request's address, whose filters the links repeat
 */
export function pageBody<Row>(
  base: string,
  url: URL,
  data: readonly Row[],
  { page, perPage, isWhole }: Page,
  total: number,
  cursor?: { next: string | null; isUsed: boolean },
  isCapped = false,
): PageBody<Row> {
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const link = (change: Record<string, string>) => {
    const query = new URLSearchParams(url.search);
    query.delete('page');
    query.delete('cursor');
    for (const [key, value] of Object.entries(change)) query.set(key, value);
    return `${base}${url.pathname}${query.size > 0 ? `?${query}` : ''}`;
  };
  // Rows beyond the limit of a whole list are reached by pages of the largest size.
  const linked = isWhole ? mostPerPage : perPage;
  const to = (number: number) => link({ page: String(number), per_page: String(linked) });
  if (isWhole) {
    const whole = link({});
    const isAll = total <= perPage;
    const lastLinked = to(Math.ceil(total / linked));
    return {
      data,
      links: {
        first: whole,
        last: isAll ? whole : lastLinked,
        prev: null,
        next: isAll ? null : to(perPage / linked + 1),
      },
      meta: { current_page: page, last_page: lastPage, per_page: perPage, total },
    };
  }
  const byCursor = (next: string | null) => (next === null ? null : link({ cursor: next, per_page: String(perPage) }));
  return {
    data,
    links: cursor?.isUsed
      ? { first: to(1), last: to(lastPage), prev: null, next: byCursor(cursor.next) }
      : {
          first: to(1),
          last: to(lastPage),
          prev: page > 1 ? to(Math.min(page - 1, lastPage)) : null,
          next: page < lastPage || (isCapped && cursor?.next) ? to(page + 1) : null,
        },
    meta: {
      current_page: page,
      last_page: lastPage,
      per_page: perPage,
      total,
      ...(cursor ? { next_cursor: cursor.next, is_capped: isCapped } : {}),
    },
  };
}

export function parseEtags(header: string | undefined): string[] | null {
  if (header === undefined) return null;
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = parseEtags(ifNoneMatch);
  return known !== null && (known.includes('*') || known.includes(etag));
}

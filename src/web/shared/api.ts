// Calls to the desk. An answer is data or a refusal; only a bug throws.

export interface Refusal {
  /** The desk's code, or what kept the request from it: `offline` or `unreachable`. */
  code: string;
  status: number;
  message: string;
  fields: Record<string, string[]>;
  requestId: string | null;
  retryAfterSeconds: number | null;
}

export type Answer<Data> =
  | { isOk: true; status: number; data: Data; etag?: string | null }
  | { isOk: false; refusal: Refusal };

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const prefix = '/api/v1';

let remaining = Number.POSITIVE_INFINITY;

/** How many requests the desk still allows within a minute, as of its last answer. */
export const requestsLeft = () => remaining;

let newest: string | null = null;

/** Of the last answer, for the report of a fault. */
export function newestRequestId(): string | null {
  return newest;
}

/** An empty answer is an empty object. The caller knows the shape of the answer from docs/spec/people.md. */
export async function call<Data>(
  method: Method,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<Data>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(prefix + path, {
      method,
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'same-origin',
      cache: 'no-store',
    });
    newest = response.headers.get('X-Request-Id');
    text = await response.text();
    remaining = Number(response.headers.get('X-RateLimit-Remaining') ?? Number.POSITIVE_INFINITY);
  } catch {
    return { isOk: false, refusal: noAnswer() };
  }
  return answerIn(response.status, text, (name) => response.headers.get(name));
}

export function answerIn<Data>(status: number, text: string, header: (name: string) => string | null): Answer<Data> {
  if (status >= 200 && status < 300) return { isOk: true, status, data: parse(text) as Data, etag: header('ETag') };
  return { isOk: false, refusal: refusalIn(status, text, header) };
}

const noRefusal: Refusal = {
  code: 'internal_error',
  status: 0,
  message: '',
  fields: {},
  requestId: null,
  retryAfterSeconds: null,
};

function parse(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    // A proxy in front of the desk answered with a page of its own.
    return null;
  }
}

/** There was no connection, or something before the desk could not reach it. */
export const isUnreached = ({ code }: Refusal): boolean => code === 'offline' || code === 'unreachable';

/** Of a request that did not reach the desk. */
export function noAnswer(): Refusal {
  return { ...noRefusal, code: navigator.onLine ? 'unreachable' : 'offline' };
}

function refusalIn(status: number, text: string, header: (name: string) => string | null): Refusal {
  const { code, message, errors } = (parse(text) ?? {}) as Partial<Refusal> & { errors?: Refusal['fields'] };
  const retryAfter = Number(header('Retry-After') ?? Number.NaN);
  return {
    // Without the desk's own words it was a proxy that could not reach the desk.
    code: code ?? (status >= 502 ? 'unreachable' : 'internal_error'),
    status,
    message: message ?? '',
    fields: errors ?? {},
    requestId: header('X-Request-Id'),
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  };
}

// Reads request bodies, within limits of size and time.

import { monotonicMs } from '../base/clock.ts';
import { DeskError } from '../domain/errors.ts';
import { providerNames } from '../domain/mail/inbound.ts';
import { requestBytesOf } from '../mail/inbound/providers.ts';

export const maxJsonBytes = 1024 * 1024;
export const maxRequestBytes = Math.max(...providerNames.map(requestBytesOf));
export const maxSecretBytes = 8 * 1024;

interface Patience {
  silenceMs: number;
  graceMs: number;
  bytesPerSecond: number;
  longestMs: number;
  /** From 0 to 1: how many others would have the place. */
  crowding?: () => number;
}

// Where every place is taken, a body must come so many times as fast, and its pauses and its beginning are so many times as short.
const mostHaste = { rate: 8, patience: 3 };

const usualPatience: Patience = {
  silenceMs: 15_000,
  graceMs: 20_000,
  bytesPerSecond: 8 * 1024,
  longestMs: 10 * 60_000,
};
export const strangersPatience: Patience = {
  silenceMs: 10_000,
  graceMs: 10_000,
  bytesPerSecond: 32 * 1024,
  longestMs: 3 * 60_000,
};

const readToEnd = new WeakSet<Request>();

export function isReadToEnd(request: Request): boolean {
  return readToEnd.has(request);
}

// A client that is still sending when it is refused may see only that the connection is cut. So much more is read and dropped before the answer.
const mostDropped = 32 * 1024 * 1024;
export const mostDropMs = 2000;

/** Reads and drops the rest of a body. Returns whether it ended. */
async function drops(reader: ReadableStreamDefaultReader<Uint8Array>, most: number): Promise<boolean> {
  const over = Promise.withResolvers<null>();
  const timer = setTimeout(() => over.resolve(null), mostDropMs);
  try {
    for (let left = most; left > 0; ) {
      const next = await Promise.race([reader.read(), over.promise]);
      if (next === null || next.done) return next !== null;
      left -= next.value.length;
    }
    return false;
  } finally {
    clearTimeout(timer);
  }
}

const cutShort = () => new DeskError('malformed', 'The connection closed before the end of the body.');
const stopped = () =>
  new DeskError('malformed', 'The body stopped arriving before its end.', { reason: 'body_stopped' });
const tooSlow = () => new DeskError('malformed', 'The body arrives too slowly.', { reason: 'body_too_slow' });

/** Throws `tooLarge()` after dropping what comes beyond `maxBytes`, and `malformed` for a broken-off or slow body. */
export async function* chunksOf(
  request: Request,
  maxBytes: number,
  tooLarge: () => DeskError,
  patience: Partial<Patience> = {},
): AsyncGenerator<Uint8Array> {
  if (declaredBytes(request) > maxBytes + mostDropped) throw tooLarge();
  if (request.body === null) {
    readToEnd.add(request);
    return;
  }
  const { silenceMs, graceMs, bytesPerSecond, longestMs, crowding = () => 0 } = { ...usualPatience, ...patience };
  const haste = (kind: keyof typeof mostHaste) => 1 + (mostHaste[kind] - 1) * crowding();
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const startedAt = monotonicMs();
  let size = 0;
  try {
    for (;;) {
      const leftMs = Math.max(0, startedAt + longestMs - monotonicMs());
      const pauseMs = silenceMs / haste('patience');
      const next = await within(reader.read(), Math.min(leftMs, pauseMs), leftMs < pauseMs ? tooSlow : stopped);
      if (next.done) break;
      size += next.value.length;
      if (size > maxBytes) {
        if (await drops(reader, mostDropped - (size - maxBytes))) readToEnd.add(request);
        throw tooLarge();
      }
      const lateMs = monotonicMs() - startedAt - graceMs / haste('patience');
      if (lateMs > 0 && size < (lateMs / 1000) * bytesPerSecond * haste('rate')) throw tooSlow();
      yield next.value;
    }
    readToEnd.add(request);
  } finally {
    if (!readToEnd.has(request)) void reader.cancel().catch(() => undefined);
  }
}

async function within<T>(read: Promise<T>, ms: number, refusal: () => DeskError): Promise<T> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(refusal()), ms);
  try {
    return await Promise.race([read, silence.promise]);
  } catch (error) {
    throw error instanceof DeskError ? error : cutShort();
  } finally {
    clearTimeout(timer);
  }
}

export function declaredBytes(request: Request): number {
  const declared = Number(request.headers.get('content-length') ?? 0);
  return Number.isFinite(declared) ? declared : 0;
}

export const smallBytes = 64 * 1024;

/** @param pass admits a body that is large or has no Content-Length */
export async function readBody(
  request: Request,
  max: number,
  pass: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
  patience: Partial<Patience> = {},
): Promise<Uint8Array> {
  const tooLarge = () => new DeskError('too_large', `The body can have at most ${max} bytes.`);
  const declared = declaredBytes(request);
  if (declared > max) throw tooLarge();
  if ((declared > 0 && declared <= smallBytes) || request.body === null) {
    // The server enforces the length, and closes silent connections.
    const bytes = await request.arrayBuffer().catch(() => {
      throw cutShort();
    });
    readToEnd.add(request);
    return new Uint8Array(bytes);
  }
  return await pass(async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of chunksOf(request, max, tooLarge, patience)) chunks.push(chunk);
    return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  });
}

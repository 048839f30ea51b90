// The body of a request: counted while it arrives, bounded in bytes and in time, and known to have been read to its end.

import { monotonicMs } from '../base/clock.ts';
import { DeskError } from '../domain/errors.ts';
import { providerNames } from '../domain/inbound.ts';
import { requestBytesOf } from '../mail/inbound/limits.ts';

export const maxJsonBytes = 1024 * 1024;
/** The largest request that any door takes, which is mail. */
export const maxRequestBytes = Math.max(...providerNames.map(requestBytesOf));
// A client that sends nothing for this long has gone.
const silenceMs = 15_000;
// Once this has passed, a body must have come at the pace below: 64 kbit/s, slower than any line in use.
const graceMs = 20_000;
const bytesPerSecond = 8 * 1024;

const readToEnd = new WeakSet<Request>();

/** Whether nothing of the request's body is left to arrive. */
export function isReadToEnd(request: Request): boolean {
  return readToEnd.has(request);
}

interface Patience {
  silenceMs: number;
  graceMs: number;
}

// A client that hangs up is no fault of the desk's, and nobody is left to read the refusal.
const cutShort = () => new DeskError('malformed', 'The body could not be read to its end.');
const stopped = () => new DeskError('malformed', 'The body stopped before its end.', { reason: 'body_stopped' });
const tooSlow = () => new DeskError('malformed', 'The body arrives too slowly.', { reason: 'body_too_slow' });

/**
 * The body as it arrives. Throws `tooLarge()` with the first byte beyond `maxBytes`, and `malformed` when it breaks off,
 * stops or is too slow; then, and when the taker stops taking, nothing more of it is read.
 */
export async function* chunksOf(
  request: Request,
  maxBytes: number,
  tooLarge: () => DeskError,
  patience: Patience = { silenceMs, graceMs },
): AsyncGenerator<Uint8Array> {
  if (declaredBytes(request) > maxBytes) throw tooLarge();
  if (request.body === null) {
    readToEnd.add(request);
    return;
  }
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const startedAt = monotonicMs();
  let size = 0;
  try {
    for (;;) {
      const next = await within(reader.read(), patience.silenceMs);
      if (next.done) break;
      size += next.value.length;
      if (size > maxBytes) throw tooLarge();
      const tookMs = monotonicMs() - startedAt;
      if (tookMs > patience.graceMs && size < ((tookMs - patience.graceMs) / 1000) * bytesPerSecond) throw tooSlow();
      yield next.value;
    }
    readToEnd.add(request);
  } finally {
    if (!readToEnd.has(request)) void reader.cancel().catch(() => undefined);
  }
}

async function within<T>(read: Promise<T>, ms: number): Promise<T> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(stopped()), ms);
  try {
    return await Promise.race([read, silence.promise]);
  } catch (error) {
    throw error instanceof DeskError ? error : cutShort();
  } finally {
    clearTimeout(timer);
  }
}

/** What the client says the body has; 0 where it does not say, since everything is counted as it arrives. */
export function declaredBytes(request: Request): number {
  const declared = Number(request.headers.get('content-length') ?? 0);
  return Number.isFinite(declared) ? declared : 0;
}

// Below this a body is no burden, whoever sends it and however many there are.
export const smallBytes = 64 * 1024;

/**
 * The whole body, at most `max` bytes of it.
 * @param pass lets a body in that is large, or that does not say what it has
 */
export async function readBody(
  request: Request,
  max: number,
  pass: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): Promise<Uint8Array> {
  const tooLarge = () => new DeskError('too_large', `The body may have ${max} bytes at most.`);
  const declared = declaredBytes(request);
  if (declared > max) throw tooLarge();
  if (request.body === null || (declared > 0 && declared <= smallBytes)) {
    // The server holds the client to the length, and closes a connection that is silent.
    const bytes = await request.bytes().catch(() => {
      throw cutShort();
    });
    readToEnd.add(request);
    return bytes;
  }
  return await pass(async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of chunksOf(request, max, tooLarge)) chunks.push(chunk);
    return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  });
}

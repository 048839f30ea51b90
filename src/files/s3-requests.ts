// One request to an S3-compatible store at a time, and what it said when it refused: the client of the runtime tells no status.

import type { S3Client } from 'bun';
import { DeskError } from '../domain/errors.ts';

/** Why a store did not do what it was asked. */
export interface S3Fault {
  bucket: string;
  key: string;
  method: string;
  /** Null where no answer came. */
  status: number | null;
  /** As the store or the connection names it. */
  code: string;
  message: string;
}

type Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE';

// As far as clocks may stand apart, by the signature's own rules.
const linkSeconds = 15 * 60;
const mostRefusalCharacters = 4096;

function unavailable(): DeskError {
  return new DeskError('unavailable', 'The store for files does not answer as it should; nothing was kept.', {
    reason: 'storage_unavailable',
    retryAfterSeconds: 30,
  });
}

function part(xml: string, name: string): string | null {
  return new RegExp(`<${name}>([^<]{1,500})</${name}>`).exec(xml)?.[1] ?? null;
}

/** @param onFault told of every refusal; the caller gets `unavailable` */
export function createS3Requests(client: S3Client, bucket: string, onFault: (fault: S3Fault) => void) {
  function fail(method: string, key: string, said: Pick<S3Fault, 'status' | 'code' | 'message'>): DeskError {
    onFault({ bucket, key, method, ...said });
    return unavailable();
  }

  /** What was thrown on the way, as the caller should see it. */
  function failed(method: string, key: string, error: unknown): unknown {
    if (error instanceof DeskError) return error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'Unknown';
    return fail(method, key, { status: null, code, message: error instanceof Error ? error.message : String(error) });
  }

  const send = (method: Method, key: string, init: RequestInit) =>
    fetch(client.presign(key, { method, expiresIn: linkSeconds }), { ...init, method, redirect: 'manual' });

  async function refusalOf(response: Response) {
    const xml = (await response.text().catch(() => '')).slice(0, mostRefusalCharacters);
    return {
      status: response.status,
      code: part(xml, 'Code') ?? `HTTP ${response.status}`,
      message: part(xml, 'Message') ?? '',
    };
  }

  /**
   * An answer that says yes, or null where there is no such key. Whatever else comes is told to `onFault` and thrown.
   * @param tries how often at most, where the store is out of order or out of reach
   */
  async function ask(method: Method, key: string, init: RequestInit = {}, tries = 1): Promise<Response | null> {
    let response: Response;
    let told: Response;
    try {
      response = await send(method, key, init);
      if (response.ok) return response;
      // A refused HEAD has no body that says why.
      told = method === 'HEAD' ? await send('GET', key, { headers: { Range: 'bytes=0-0' } }) : response;
    } catch (error) {
      if (tries > 1) return ask(method, key, init, tries - 1);
      throw failed(method, key, error);
    }
    const refusal = await refusalOf(told);
    if (refusal.code === 'NoSuchKey') return null;
    if (tries > 1 && refusal.status >= 500) return ask(method, key, init, tries - 1);
    throw fail(method, key, refusal.status < 300 ? { ...refusal, status: response.status } : refusal);
  }

  return { ask, fail, failed };
}

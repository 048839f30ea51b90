// Requests to an S3-compatible store, with the status and the reason of a refusal.

import { DeskError } from '../domain/errors.ts';
import { type S3Client, type S3Method, xmlPart } from './s3-client.ts';

export interface S3Fault {
  bucket: string;
  key: string;
  method: string;
  status: number | null;
  code: string;
  message: string;
}

const mostRefusalCharacters = 4096;

function unavailable(method: string): DeskError {
  const consequence = method === 'PUT' ? ' Nothing was saved.' : '';
  return new DeskError('unavailable', `The file store is not working properly.${consequence}`, {
    reason: 'storage_unavailable',
    retryAfterSeconds: 30,
  });
}

export function createS3Requests(client: S3Client, bucket: string, onFault: (fault: S3Fault) => void) {
  function fail(method: string, key: string, said: Pick<S3Fault, 'status' | 'code' | 'message'>): DeskError {
    onFault({ bucket, key, method, ...said });
    return unavailable(method);
  }

  function failed(method: string, key: string, error: unknown): unknown {
    if (error instanceof DeskError) return error;
    // Node's `fetch` says only that it failed; its cause says why.
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = reason instanceof Error && 'code' in reason ? String(reason.code) : 'Unknown';
    return fail(method, key, {
      status: null,
      code,
      message: reason instanceof Error ? reason.message : String(reason),
    });
  }

  const send = async (method: S3Method, key: string, init: RequestInit) =>
    fetch(await client.presign(key, method), { ...init, method, redirect: 'manual', signal: client.signal });

  async function refusalOf(response: Response) {
    const xml = (await response.text().catch(() => '')).slice(0, mostRefusalCharacters);
    return {
      status: response.status,
      code: xmlPart(xml, 'Code') ?? `HTTP ${response.status}`,
      message: xmlPart(xml, 'Message') ?? '',
    };
  }

  /** Null when the key does not exist. Any other refusal goes to `onFault` and is thrown as `unavailable`. */
  async function ask(method: S3Method, key: string, init: RequestInit = {}, attempts = 1): Promise<Response | null> {
    let response: Response;
    let explained: Response;
    try {
      response = await send(method, key, init);
      if (response.ok) return response;
      // The answer to HEAD has no body that gives the reason.
      explained = method === 'HEAD' ? await send('GET', key, { headers: { Range: 'bytes=0-0' } }) : response;
    } catch (error) {
      if (attempts > 1) return ask(method, key, init, attempts - 1);
      throw failed(method, key, error);
    }
    const refusal = await refusalOf(explained);
    if (refusal.code === 'NoSuchKey') return null;
    if (attempts > 1 && refusal.status >= 500) return ask(method, key, init, attempts - 1);
    throw fail(method, key, refusal.status < 300 ? { ...refusal, status: response.status } : refusal);
  }

  return { ask, fail, failed };
}

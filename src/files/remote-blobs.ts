// Files that another machine has: looked for here first, then asked for there.

import { DeskError } from '../domain/errors.ts';
import { type Blobs, stagedCopy } from './blobs.ts';

/**
 * Asks the other machines for a file; null when none of those that answer has it. Rejects when the one that should
 * have it cannot be reached.
 */
export type FetchFile = (ulid: string, method: 'GET' | 'HEAD', range: string | null) => Promise<Response | null>;

function unreachable(): DeskError {
  return new DeskError('unavailable', 'The machine that has this file cannot be reached just now.', {
    retryAfterSeconds: 5,
  });
}

/** Writes go to `local` alone, which only the primary is asked to do. */
export function withRemoteFiles(local: Blobs, fetchFile: FetchFile): Blobs {
  async function askFor(ulid: string, method: 'GET' | 'HEAD', range: string | null): Promise<Response | null> {
    try {
      return await fetchFile(ulid, method, range);
    } catch {
      throw unreachable();
    }
  }
  const blobs: Blobs = {
    ...local,
    local: async (ulid) => (await local.local(ulid)) ?? (await stagedCopy(blobs, ulid)),
    async size(ulid) {
      const here = await local.size(ulid);
      if (here !== null) return here;
      const answer = await askFor(ulid, 'HEAD', null);
      const length = answer?.headers.get('content-length') ?? null;
      if (answer === null) return null;
      if (length === null || !/^\d{1,15}$/.test(length)) throw unreachable();
      return Number(length);
    },
    read(ulid, start, end) {
      if (end < start) return new Blob([]).stream();
      let reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
      let left = end - start + 1;
      async function begin(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
        if ((await local.size(ulid)) !== null) return local.read(ulid, start, end).getReader();
        const answer = await askFor(ulid, 'GET', `bytes=${start}-${end}`);
        if (answer === null || answer.status !== 206 || answer.body === null) throw unreachable();
        return answer.body.getReader();
      }
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          reader ??= await begin();
          const { done, value } = await reader.read();
          if (!done) {
            left -= value.length;
            controller.enqueue(value);
            return;
          }
          // An answer that ends early must not pass for a whole file.
          if (left !== 0) throw unreachable();
          controller.close();
        },
        cancel: async (reason) => {
          await reader?.cancel(reason);
        },
      });
    },
  };
  return blobs;
}

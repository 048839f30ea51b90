// Files on another machine: the local disk first, then the machine that has them.

import { DeskError } from '../domain/errors.ts';
import { type Blobs, stagedCopy } from './blobs.ts';
import { streamOfLength } from './stream-of-length.ts';

/** Null when no machine that answers has the file. Rejects when the one that should have it cannot be reached. */
export type FetchFile = (ulid: string, method: 'GET' | 'HEAD', range: string | null) => Promise<Response | null>;

function unreachable(): DeskError {
  return new DeskError('unavailable', 'The machine that has this file cannot be reached right now.', {
    retryAfterSeconds: 5,
  });
}

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
      const open = async () => {
        if ((await local.size(ulid)) !== null) return local.read(ulid, start, end);
        const answer = await askFor(ulid, 'GET', `bytes=${start}-${end}`);
        if (answer === null || answer.status !== 206 || answer.body === null) throw unreachable();
        return answer.body;
      };
      return streamOfLength(end - start + 1, open, { wrongLength: unreachable });
    },
  };
  return blobs;
}

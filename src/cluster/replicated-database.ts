// The database of this machine as LiteFS hands it out: without a handle on the mount, whose opening and closing changes files there.

import { basename } from 'node:path';
import { DeskError } from '../domain/errors.ts';
import { databaseBytes, openMount } from './litefs.ts';

export function replicatedDatabase(path: string, litefsUrl: string) {
  const mount = openMount(path);
  return {
    path,
    state: () => ({ bytes: databaseBytes(path), position: mount.position() }),
    async pages(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
      if (mount.identity() === null)
        throw new DeskError('unavailable', `LiteFS is not mounted for ${path} on this machine.`);
      let answer: Response;
      try {
        answer = await fetch(`${litefsUrl}/export?name=${encodeURIComponent(basename(path))}`, {
          redirect: 'error',
          keepalive: false,
          signal,
        });
      } catch (error) {
        if (signal.aborted) throw error;
        throw new DeskError('unavailable', `LiteFS does not answer at ${litefsUrl}.`);
      }
      if (answer.ok && answer.body !== null) return answer.body as unknown as AsyncIterable<Uint8Array>;
      await answer.body?.cancel();
      throw new DeskError(
        'unavailable',
        answer.status === 404
          ? 'The database has not arrived from the primary yet.'
          : `LiteFS answered with status ${answer.status}.`,
      );
    },
  };
}

// Thumbnails of pictures, made when they are asked for (docs/spec/api.md#attachments).

import { canShrinkImages, shrunkImage } from '#platform/image.ts';
import { createGate } from '../base/gate.ts';
import type { Blobs } from './blobs.ts';

export interface Thumbnails {
  /** A WebP; null when there is none, and the whole picture must do. */
  of(file: { ulid: string; sha256: string; size: number }): Promise<Uint8Array | null>;
}

export const thumbnailType = 'image/webp';
const side = 320;
// Four bytes of memory each while a picture is decoded. A phone's pictures have 12 to 24 million.
const mostPixels = 24_000_000;
const mostBytes = 15 * 1024 * 1024;
const keptBytes = 8 * 1024 * 1024;

class Busy extends Error {}

export function createThumbnails(blobs: Pick<Blobs, 'read'>): Thumbnails {
  const gate = createGate({ atOnce: 2, waiting: 50, waitMs: 5000, refusal: () => new Busy() });
  // By content, the newest last. Null: it has none, which decoding it again would not change.
  const kept = new Map<string, Uint8Array | null>();
  let total = 0;
  const underWay = new Map<string, Promise<Uint8Array | null>>();

  function keep(sha256: string, thumbnail: Uint8Array | null): void {
    const weight = (bytes: Uint8Array | null | undefined) => 200 + (bytes?.length ?? 0);
    kept.set(sha256, thumbnail);
    total += weight(thumbnail);
    for (const [oldest, bytes] of kept) {
      if (total <= keptBytes) break;
      kept.delete(oldest);
      total -= weight(bytes);
    }
  }

  async function make({ ulid, sha256, size }: { ulid: string; sha256: string; size: number }) {
    const bytes = new Uint8Array(await new Response(blobs.read(ulid, 0, size - 1)).arrayBuffer());
    const thumbnail = await shrunkImage(bytes, side, mostPixels);
    // A small picture may be smaller as it is.
    const found = thumbnail !== null && thumbnail.length < size ? thumbnail : null;
    keep(sha256, found);
    return found;
  }

  return {
    async of(file) {
      if (!canShrinkImages || file.size > mostBytes || file.size === 0) return null;
      const known = kept.get(file.sha256);
      if (known !== undefined) return known;
      const running = underWay.get(file.sha256);
      if (running !== undefined) return await running;
      const making = gate
        .pass('', () => make(file))
        .catch((error) => {
          if (error instanceof Busy) return null;
          throw error;
        })
        .finally(() => underWay.delete(file.sha256));
      underWay.set(file.sha256, making);
      return await making;
    },
  };
}

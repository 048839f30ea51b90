// Files in several places: each is read where it is, and new ones go to one of them.

import type { Blobs, Staged } from './blobs.ts';
import { stagedCopy } from './blobs.ts';
import { streamOfLength } from './stream-of-length.ts';

export interface Places {
  /** Where new files go; null: to the disk. */
  home: () => Promise<Blobs | null>;
  /** From which files are removed, as from the disk. */
  own: readonly Blobs[];
  /** What others remove files from. */
  foreign: readonly Blobs[];
}

/** @param places as they are now */
export function createPlacedBlobs(disk: Blobs, places: () => Places): Blobs {
  const placed = (staged: Omit<Staged, 'keep'>): Staged => ({
    ...staged,
    async keep(ulid) {
      const home = (await places().home()) ?? disk;
      await home.adopt(staged.path, staged.size, staged.sha256).keep(ulid);
    },
  });

  /** Where it is; the last place if it is in none. */
  async function placeOf(ulid: string): Promise<Blobs> {
    const { own, foreign } = places();
    let place = disk;
    for (const next of [...own, ...foreign]) {
      if ((await place.size(ulid)) !== null) return place;
      place = next;
    }
    return place;
  }

  const blobs: Blobs = {
    staging: disk.staging,
    stage: async (source, maxBytes) => placed(await disk.stage(source, maxBytes)),
    adopt: (path, size, sha256) => placed(disk.adopt(path, size, sha256)),
    local: async (ulid) => (await disk.local(ulid)) ?? (await stagedCopy(blobs, ulid)),
    size: async (ulid) => await (await placeOf(ulid)).size(ulid),
    read(ulid, start, end) {
      if (end < start) return new Blob([]).stream();
      const open = async () => (await placeOf(ulid)).read(ulid, start, end);
      const wrongLength = () => new Error('a file has another length than was asked for');
      return streamOfLength(end - start + 1, open, { wrongLength });
    },
    async remove(ulid) {
      for (const place of [disk, ...places().own]) await place.remove(ulid);
    },
    async sweep(now, known) {
      let removed = 0;
      for (const place of [disk, ...places().own]) removed += await place.sweep(now, known);
      return removed;
    },
    async *forgotten(now, known) {
      for (const place of [disk, ...places().own]) yield* place.forgotten(now, known);
    },
  };
  return blobs;
}

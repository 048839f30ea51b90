// The stored files of a desk: in the data directory, on another machine of the cluster, or in a bucket.

import { join } from 'node:path';
import { type Blobs, createLocalBlobs } from '../files/blobs.ts';
import { createPlacedBlobs } from '../files/placed-blobs.ts';
import { withRemoteFiles } from '../files/remote-blobs.ts';
import type { FileKind, OtherMachines } from './other-machines.ts';
import { homes, type PlacesOfDesk } from './own-bucket.ts';

export type FilesOfDesk = Record<FileKind, Blobs>;

export function localFilesOf(path: string): FilesOfDesk {
  return {
    attachments: createLocalBlobs(join(path, ...homes.attachments)),
    mail: createLocalBlobs(join(path, ...homes.mail)),
  };
}

/**
 * @param places as they are now
 * @param others that keep files too
 */
export function filesOf(
  disk: FilesOfDesk,
  places: () => PlacesOfDesk,
  others: Pick<OtherMachines, 'fetchFile'> | null,
): FilesOfDesk {
  function blobsOf(kind: FileKind): Blobs {
    const blobs = createPlacedBlobs(disk[kind], () => places()[kind]);
    return others === null ? blobs : withRemoteFiles(blobs, others.fetchFile(kind));
  }
  return { attachments: blobsOf('attachments'), mail: blobsOf('mail') };
}

// What the data directory of a machine in a cluster needs from the other machines.

import type { FetchFile } from '../files/remote-blobs.ts';

export interface OtherMachines {
  isPrimary(): boolean;
  requirePrimary(): void;
  fetchFile(kind: FileKind): FetchFile;
}

export type FileKind = 'attachments' | 'mail';

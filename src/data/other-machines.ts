// What the data directory of a machine in a cluster needs from the other machines.

import type { FetchFile } from '../files/remote-blobs.ts';

export interface OtherMachines {
  isPrimary(): boolean;
  requirePrimary(): void;
  fetchFile(kind: FileKind): FetchFile;
  whyNoDatabase(state: 'missing' | 'older' | 'current'): string;
}

export type FileKind = 'attachments' | 'mail';

export interface ReplicatedDatabase {
  path: string;
  isReplica: boolean;
  /** Its size with its log, and its place in the replication. */
  state(): { bytes: number; position: string | null };
  /** All pages at one moment, which LiteFS holds until the last one is read. Throws a DeskError that says why there are none. */
  pages(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  mostMs: number;
  requirePrimary(): void;
}

// The stored files of a desk: in the data directory, on another machine of the cluster, or in a bucket.

import { join, resolve } from 'node:path';
import type { Config } from '../base/config.ts';
import { type Blobs, createLocalBlobs } from '../files/blobs.ts';
import { type FetchFile, withRemoteFiles } from '../files/remote-blobs.ts';
import { createS3Blobs } from '../files/s3-blobs.ts';
import type { S3Options } from '../files/s3-client.ts';
import type { S3Fault } from '../files/s3-requests.ts';
import type { FileKind, OtherMachines } from './other-machines.ts';

const homes: Record<FileKind, string[]> = { attachments: ['attachments'], mail: ['mail', 'inbound'] };

export type FilesOfDesk = Record<FileKind, Blobs>;

export function localFilesOf(path: string): FilesOfDesk {
  return {
    attachments: createLocalBlobs(join(path, ...homes.attachments)),
    mail: createLocalBlobs(join(path, ...homes.mail)),
  };
}

export function filesOf(
  config: Config,
  membership: Pick<OtherMachines, 'fetchFile'> | null,
  onFault: (fault: S3Fault) => void,
): FilesOfDesk {
  const blobs = (kind: FileKind) => blobsOf(config, kind, membership?.fetchFile(kind) ?? null, onFault);
  return { attachments: blobs('attachments'), mail: blobs('mail') };
}

export function bucketFilesOf(config: Config, onFault: (fault: S3Fault) => void): FilesOfDesk | null {
  return s3Of(config) === null ? null : filesOf(config, null, onFault);
}

function blobsOf(
  config: Config,
  kind: FileKind,
  fetchFile: FetchFile | null,
  onFault: (fault: S3Fault) => void,
): Blobs {
  const folder = join(resolve(config.HELPDESK_DATA), ...homes[kind]);
  const s3 = s3Of(config);
  if (s3 !== null)
    return createS3Blobs({ s3, staging: join(folder, 'staging'), prefix: `${homes[kind].join('/')}/`, onFault });
  const local = createLocalBlobs(folder);
  return fetchFile === null ? local : withRemoteFiles(local, fetchFile);
}

function s3Of(config: Config): S3Options | null {
  const {
    HELPDESK_S3_ENDPOINT: endpoint,
    HELPDESK_S3_BUCKET: bucket,
    HELPDESK_S3_REGION: region,
    HELPDESK_S3_ACCESS_KEY_ID: accessKeyId,
    HELPDESK_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = config;
  if (endpoint === null || bucket === null || region === null || accessKeyId === null || secretAccessKey === null)
    return null;
  return { endpoint, bucket, region, accessKeyId, secretAccessKey };
}

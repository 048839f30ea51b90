// The bucket that an owner has set in the browser: a folder in it for each data directory, so that a copy of the desk removes no
// files of the original (docs/cluster.md).

import { join } from 'node:path';
import type { Config } from '../base/config.ts';
import type { Seal } from '../base/crypto.ts';
import type { Desk } from '../desk/desk.ts';
import { openBucketFolder } from '../desk/desk-settings.ts';
import type { OwnBucket } from '../domain/own-services.ts';
import type { Blobs } from '../files/blobs.ts';
import type { Places } from '../files/placed-blobs.ts';
import { createS3Blobs } from '../files/s3-blobs.ts';
import type { S3Options } from '../files/s3-client.ts';
import type { S3Fault } from '../files/s3-requests.ts';
import { type DeskSettings, readDeskSettings } from '../store/desk-settings.ts';
import type { FileKind } from './other-machines.ts';

export const homes: Record<FileKind, string[]> = { attachments: ['attachments'], mail: ['mail', 'inbound'] };

export type PlacesOfDesk = Record<FileKind, Places>;

interface Surroundings {
  config: Config;
  path: string;
  /** The identity of the data directory; null in a cluster, whose machines only read the bucket that an owner has set. */
  place: string | null;
  onFault: (fault: S3Fault) => void;
}

type BucketSettings = Pick<DeskSettings, 'bucket' | 'bucketSecretSealed' | 'bucketFolders'>;

/**
 * @param own what an owner has set; null: nothing
 * @param openFolder makes the folder of this data directory, and says where its files are then
 */
export function placesOf(
  { config, path, place, onFault }: Surroundings,
  own: BucketSettings | null,
  seal: Seal | null,
  openFolder: () => Promise<PlacesOfDesk>,
): PlacesOfDesk {
  const named = s3Of(config);
  const s3 = own && s3OfOwn(own, seal);
  const stores = own?.bucket?.stores_files === true && place !== null;

  function placesOfKind(kind: FileKind): Places {
    const in_ = (options: S3Options, folder: string): Blobs =>
      createS3Blobs({
        s3: options,
        staging: join(path, ...homes[kind], 'staging'),
        prefix: `${folder}${homes[kind].join('/')}/`,
        onFault,
      });
    const folders = (isOwn: boolean) =>
      s3 === null || own === null
        ? []
        : own.bucketFolders
            .filter((folder) => (folder.place === place) === isOwn)
            .toReversed()
            .map(({ name }) => in_(s3, `${name}/`));
    const ownFolders = folders(true);
    const fixed = named && in_(named, '');
    const [newest] = ownFolders;
    return {
      home: async () => {
        if (fixed !== null || s3 === null || !stores) return fixed;
        return newest ?? (await openFolder())[kind].own[0] ?? null;
      },
      own: [...(fixed === null ? [] : [fixed]), ...ownFolders],
      foreign: folders(false),
    };
  }
  return { attachments: placesOfKind('attachments'), mail: placesOfKind('mail') };
}

interface LivePlaces {
  now: () => PlacesOfDesk;
  /** Takes up what an owner has changed. */
  refresh(settings: DeskSettings): void;
}

export function livePlaces(around: Surroundings, desk: Desk): LivePlaces {
  let known: number | null = null;
  let places: PlacesOfDesk;
  function refresh(settings: DeskSettings): void {
    if (settings.version === known) return;
    places = placesOf(around, settings, desk.seal, openFolder);
    known = settings.version;
  }
  async function openFolder(): Promise<PlacesOfDesk> {
    const { place } = around;
    if (place !== null) await desk.write((tx) => openBucketFolder(tx, desk.now(), place));
    refresh(desk.read(readDeskSettings));
    return places;
  }
  refresh(desk.read(readDeskSettings));
  return { now: () => places, refresh };
}

export const hasNamedBucket = (config: Config) => s3Of(config) !== null;

export const asS3 = ({ endpoint, bucket, region, access_key_id }: OwnBucket, secret: string): S3Options => ({
  ...{ endpoint, bucket, region, accessKeyId: access_key_id },
  secretAccessKey: secret,
});

function s3OfOwn({ bucket, bucketSecretSealed: sealed }: BucketSettings, seal: Seal | null): S3Options | null {
  return bucket === null || sealed === null ? null : asS3(bucket, secretIn(sealed, seal));
}

/** Empty if the key does not open it: the store then refuses, so that files are unavailable and not missing. The doctor says why. */
function secretIn(sealed: string, seal: Seal | null): string {
  try {
    return seal?.open(sealed) ?? '';
  } catch {
    return '';
  }
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

// Services that an owner names for the desk, tried before they are kept.

import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { DataDirectory } from '../data/directory.ts';
import { asS3 } from '../data/own-bucket.ts';
import type { BucketFault, OwnBucket, OwnIssuer } from '../domain/own-services.ts';
import { tryBucket } from '../files/try-bucket.ts';
import { createOidc, type Oidc } from '../identity/oidc.ts';
import { parseAllowList } from '../net/allow-list.ts';
import { checkDestination, type Guard } from '../net/guarded-fetch.ts';

/** What a bucket refuses of what the desk needs; null if nothing. */
export async function bucketFault(
  bucket: OwnBucket,
  secret: string,
  { data, guard }: { data: DataDirectory; guard: Guard },
): Promise<BucketFault | null> {
  const { endpoint } = bucket;
  const found = await checkDestination(endpoint, guard);
  if (found.kind !== 'fine') return { reason: found.kind === 'refused' ? 'private' : 'store', message: found.reason };
  const isPublic = (await checkDestination(endpoint, { ...guard, allow: parseAllowList('') })).kind === 'fine';
  if (isPublic && !endpoint.startsWith('https:'))
    return { reason: 'plain', message: 'its address is public, so it needs https' };
  const said = await tryBucket(asS3(bucket, secret), join(data.path, 'attachments', 'staging'), data.desk.now());
  return said === null ? null : { reason: 'store', message: said };
}

const issuerTimeoutMs = 5000;

export const issuerClient = (own: OwnIssuer, clientSecret: string | null, { allow }: Guard): Oidc =>
  createOidc({
    issuer: own.issuer,
    clientId: own.client_id,
    clientSecret,
    roleClaim: own.role_claim,
    allow,
    timeoutMs: issuerTimeoutMs,
    clock: systemClock,
  });

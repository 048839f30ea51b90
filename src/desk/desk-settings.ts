// The desk's own settings: its name, what agents start with, and who needs a second factor (docs/spec/people.md#the-desk).

import { newUlid } from '../base/ids.ts';
import { invalid } from '../domain/errors.ts';
import type { OwnMailServerInput } from '../domain/input/mailboxes.ts';
import type { DeskInput, OwnBucketInput, OwnIssuerInput } from '../domain/input/people.ts';
import type { Instant } from '../domain/instant.ts';
import { type BucketFolder, isElsewhere, isOtherBucket, needsBucketSecret } from '../domain/own-services.ts';
import type { Tx } from '../engine/database.ts';
import { type DeskSettings, readDeskSettings, updateDeskSettings } from '../store/desk-settings.ts';
import { authorise, requireVersion } from './access.ts';
import { audit } from './audit.ts';
import type { Context } from './context.ts';
import { deskNotificationsWith } from './notifications/preferences.ts';

export function readDesk(tx: Tx, ctx: Context): DeskSettings {
  authorise(ctx, 'read');
  return readDeskSettings(tx);
}

export function deskEtag({ version }: DeskSettings): string {
  return `"desk-${version}"`;
}

/** @param place the identity of the data directory; null in a cluster */
export function changeDesk(
  tx: Tx,
  ctx: Context,
  input: DeskInput,
  ifMatch: readonly string[] | null,
  place: string | null = null,
): DeskSettings {
  authorise(ctx, 'own');
  const before = readDeskSettings(tx);
  requireVersion(ifMatch, deskEtag(before));
  const change: Partial<DeskSettings> = {};
  if (input.name !== undefined) change.name = input.name;
  if (input.locale !== undefined) change.locale = input.locale;
  if (input.time_zone !== undefined) change.timeZone = input.time_zone;
  if (input.require_second_factor !== undefined) change.requireSecondFactor = input.require_second_factor;
  if (input.push_content !== undefined) change.pushContent = input.push_content;
  if (input.notifications !== undefined)
    change.notifications = deskNotificationsWith(before.notifications, input.notifications);
  if (input.agent_reports !== undefined) change.agentReports = input.agent_reports;
  if (input.base_url !== undefined) change.baseUrl = input.base_url;
  if (input.inbound_domain !== undefined) change.inboundDomain = input.inbound_domain;
  Object.assign(change, ownServices(ctx, before, input, place));
  if (Object.keys(change).length === 0) return before;
  updateDeskSettings(tx, change);
  audit(tx, ctx, {
    action: 'desk.updated',
    target: { type: 'desk', id: null, name: before.name },
    before,
    after: change,
  });
  return readDeskSettings(tx);
}

type OwnServices = Partial<
  Pick<
    DeskSettings,
    | 'mailServer'
    | 'mailServerSecretSealed'
    | 'issuer'
    | 'issuerSecretSealed'
    | 'bucket'
    | 'bucketSecretSealed'
    | 'bucketFolders'
  >
>;

/** The desk with what is asked of its own services, to be tried before it is kept. */
export function deskWith(tx: Tx, ctx: Context, input: DeskInput, place: string | null): DeskSettings {
  authorise(ctx, 'own');
  const before = readDeskSettings(tx);
  return { ...before, ...ownServices(ctx, before, input, place) };
}

function ownServices(
  ctx: Context,
  before: DeskSettings,
  { mail_server, issuer, bucket }: DeskInput,
  place: string | null,
): OwnServices {
  return {
    ...(bucket === undefined ? {} : bucketOf(ctx, before, bucket, place)),
    ...(mail_server === undefined ? {} : mailServerOf(ctx, before, mail_server)),
    ...(issuer === undefined ? {} : issuerOf(ctx, before, issuer)),
  };
}

const again = 'is required, because where it is sent has changed.';

function mailServerOf(ctx: Context, before: DeskSettings, input: OwnMailServerInput | null): OwnServices {
  if (input === null) return { mailServer: null, mailServerSecretSealed: null };
  const { password, ...mailServer } = input;
  if (mailServer.user === null) return { mailServer, mailServerSecretSealed: null };
  if (password !== undefined) return { mailServer, mailServerSecretSealed: ctx.seal.seal(password) };
  if (isElsewhere(before.mailServer, mailServer))
    throw invalid('mail_server.password', before.mailServerSecretSealed === null ? 'is required.' : again);
  return { mailServer };
}

function issuerOf(ctx: Context, before: DeskSettings, input: OwnIssuerInput | null): OwnServices {
  if (input === null) return { issuer: null, issuerSecretSealed: null };
  const { client_secret: secret, ...issuer } = input;
  if (secret !== undefined) return { issuer, issuerSecretSealed: secret && ctx.seal.seal(secret) };
  const isSame = before.issuer?.issuer === issuer.issuer && before.issuer.client_id === issuer.client_id;
  if (!isSame && before.issuerSecretSealed !== null) throw invalid('issuer.client_secret', again);
  return { issuer };
}

/** Null forgets it: what is there can be read again once it is set again. */
function bucketOf(
  ctx: Context,
  { bucket: before, bucketFolders: folders }: DeskSettings,
  input: OwnBucketInput | null,
  place: string | null,
): OwnServices {
  if (input === null) return { bucket: null, bucketSecretSealed: null };
  if (place === null) throw invalid('bucket', 'is set where each machine of a cluster is started.');
  const { secret_access_key: secret, takes_folders: takes, ...bucket } = input;
  if (isOtherBucket(before, bucket))
    throw invalid('bucket.bucket', 'is another one, which has none of the files. Remove the bucket first.');
  if (secret === undefined && needsBucketSecret(before, bucket))
    throw invalid('bucket.secret_access_key', before === null ? 'is required.' : again);
  return {
    bucket,
    ...(secret === undefined ? {} : { bucketSecretSealed: ctx.seal.seal(secret) }),
    // New files go to a folder of its own: the desk that made the others may still run.
    ...(takes && { bucketFolders: [...folders.map((folder) => ({ ...folder, place })), folderAt(ctx.now, place)] }),
  };
}

const folderAt = (now: Instant, place: string): BucketFolder => ({ name: `desk-${newUlid(now).toLowerCase()}`, place });

/** For the files of a data directory that has none yet. */
export function openBucketFolder(tx: Tx, now: Instant, place: string): void {
  const { bucketFolders: folders } = readDeskSettings(tx);
  if (folders.some((folder) => folder.place === place)) return;
  updateDeskSettings(tx, { bucketFolders: [...folders, folderAt(now, place)] });
}

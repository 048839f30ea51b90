// Webhook channels: where a site's events are sent.

import { randomKey } from '../../base/crypto.ts';
import type { ChannelChangeInput, ChannelInput } from '../../domain/input/channels.ts';
import { minuteMs } from '../../domain/instant.ts';
import { signingSecretOf } from '../../domain/outbox/channel.ts';
import { defaultHeaderPrefix } from '../../domain/outbox/header-prefix.ts';
import type { Tx } from '../../engine/database.ts';
import { type Channel, channelRows } from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import { authorise } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { requireEventsWithin } from '../notifications/channels.ts';
import { columnsOf } from '../sites/catalogue/columns.ts';
import { catalogue } from '../sites/catalogue/verbs.ts';
import { catchUp } from './log.ts';

export function newSigningSecret(): string {
  return signingSecretOf(randomKey());
}

/** `add` does not return the signing secret; use `addChannel`. */
export const channels = catalogue<Channel, ChannelInput & { signing_secret: string }, ChannelChangeInput>({
  noun: 'webhook channel',
  rows: channelRows,
  shown: ({ webhookUrlSealed, ...row }, { seal }) => ({ ...row, webhookUrl: seal.open(webhookUrlSealed) }),
  compose(tx, ctx, site, input) {
    requireEventsWithin(ctx, input.events, []);
    const rows = channelRows.list(tx, site.id);
    return {
      name: input.name,
      type: input.type,
      webhookUrlSealed: ctx.seal.seal(input.webhook_url),
      events: input.events,
      sortOrder: rows.reduce((highest, { sortOrder }) => Math.max(highest, sortOrder), 0) + 1,
      isActive: input.is_active ?? true,
      consecutiveFailures: 0,
      disabledAt: null,
      disabledReason: null,
      lastDeliveryAt: null,
      lastSuccessAt: null,
      signingSecretSealed: ctx.seal.seal(input.signing_secret),
      previousSigningSecretSealed: null,
      previousSigningSecretExpiresAt: null,
      createdAt: ctx.now,
      headerPrefix: input.header_prefix ?? defaultHeaderPrefix,
      includeTest: input.include_test ?? false,
    };
  },
  revise(tx, ctx, _site, row, input) {
    requireEventsWithin(ctx, input.events ?? [], row.events);
    const change = columnsOf(input, row);
    if (input.webhook_url !== undefined) change.webhookUrlSealed = ctx.seal.seal(input.webhook_url);
    if (input.is_active === true && !row.isActive) catchUp(tx, ctx, row);
    if (input.is_active === true) return { ...change, consecutiveFailures: 0, disabledAt: null, disabledReason: null };
    if (input.is_active === false && row.isActive)
      return { ...change, disabledAt: ctx.now, disabledReason: 'Switched off manually.' };
    return change;
  },
});

export function addChannel(
  tx: Tx,
  ctx: Context,
  site: string,
  input: ChannelInput,
): { site: Site; channel: Channel; signingSecret: string } {
  const signingSecret = newSigningSecret();
  const added = channels.add(tx, ctx, site, { ...input, signing_secret: signingSecret });
  return { site: added.site, channel: added.row, signingSecret };
}

/** Deliveries are signed with both secrets during the grace period. */
export function rotateSigningSecret(
  tx: Tx,
  ctx: Context,
  siteName: string,
  id: number,
  graceMinutes: number | null,
): { site: Site; channel: Channel; signingSecret: string } {
  authorise(ctx, 'manage');
  const { site, row } = channels.read(tx, ctx, siteName, id);
  const signingSecret = newSigningSecret();
  channelRows.update(tx, row.id, {
    signingSecretSealed: ctx.seal.seal(signingSecret),
    previousSigningSecretSealed: graceMinutes ? row.signingSecretSealed : null,
    previousSigningSecretExpiresAt: graceMinutes ? ctx.now + graceMinutes * minuteMs : null,
    version: row.version + 1,
  });
  audit(tx, ctx, {
    action: 'webhook_channel.secret_rotated',
    target: { type: 'webhook_channel', id: row.id, name: row.name },
    siteId: site.id,
    after: { graceMinutes },
  });
  return { site, channel: channels.read(tx, ctx, siteName, id).row, signingSecret };
}

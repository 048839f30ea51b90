// The addresses that a site writes from (docs/spec/senders.md).

import { toWire } from '../../base/clock.ts';
import { conflict, DeskError, invalid, notFound } from '../../domain/errors.ts';
import type { SenderChangeInput, SenderInput } from '../../domain/input/senders.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import type { RecordChecks, SenderChecks } from '../../domain/mail/sender.ts';
import type { Tx } from '../../engine/database.ts';
import { mailboxRows, type SenderRow, senderRows } from '../../store/sites/catalogue.ts';
import { isSenderOfOtherSite } from '../../store/sites/senders.ts';
import { type Site, siteById, updateSite } from '../../store/sites/sites.ts';
import { authorise, findSite } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { deskAddress, type Known, ownServer } from '../outbox/own-server.ts';
import { nextOrder } from './catalogue/columns.ts';
import { type Catalogue, catalogue } from './catalogue/verbs.ts';
import { asSender, blankSender } from './site-senders.ts';

/** Throws `invalid` for what is not a sender of the site. */
export function requireSender(tx: Tx, siteId: number, id: number | null | undefined, field = 'from'): number | null {
  if (id != null && !senderRows.get(tx, siteId, id)) throw invalid(field, 'does not name a sender of this site.');
  return id ?? null;
}

function requireFree(
  tx: Tx,
  site: Pick<Site, 'id' | 'settings'>,
  address: string | null | undefined,
  own: number | null,
  field = 'address',
): void {
  if (address == null) return;
  const isTaken =
    isSenderOfOtherSite(tx, address, site.id) ||
    senderRows.list(tx, site.id).some((row) => row.id !== own && asSender(site, row).address === address);
  if (isTaken) throw invalid(field, 'is the address of another sender.');
}

/** The setting of a site is the address of its default sender. */
export function requireFreeDefault(tx: Tx, site: Pick<Site, 'id' | 'settings'>, address: string | null): void {
  if (address === site.settings.mail_from_address) return;
  const own = senderRows.list(tx, site.id).find(({ isDefault }) => isDefault)?.id ?? null;
  requireFree(tx, site, address, own, 'settings.mail_from_address');
}

export const senders: Catalogue<SenderRow, SenderInput, SenderChangeInput> = catalogue<
  SenderRow,
  SenderInput,
  SenderChangeInput
>({
  noun: 'sender',
  rows: senderRows,
  compose(tx, _ctx, site, input) {
    requireFree(tx, site, input.address, null);
    return {
      ...blankSender,
      isDefault: false,
      name: input.name || null,
      address: input.address,
      dkimSelectors: input.dkim_selectors ?? [],
      sortOrder: input.sort_order ?? nextOrder(senderRows.list(tx, site.id)),
    };
  },
  revise(tx, _ctx, site, row, input) {
    requireFree(tx, site, input.address, row.id);
    if (row.isDefault && input.is_default === false)
      throw invalid('is_default', 'cannot be removed. Make another sender the default instead.');
    const { name, address, dkim_selectors: dkimSelectors, sort_order: sortOrder } = input;
    const change = {
      ...(dkimSelectors === undefined ? {} : { dkimSelectors }),
      ...(sortOrder === undefined ? {} : { sortOrder }),
    };
    if (row.isDefault) return change;
    return {
      ...change,
      ...(name === undefined ? {} : { name: name || null }),
      ...(address === undefined ? {} : { address }),
    };
  },
  settle(tx, site, row, _before, { name, address, is_default: isWanted }) {
    if (row.isDefault) {
      keepDefault(tx, site, {
        ...(name === undefined ? {} : { name: name || null }),
        ...(address === undefined ? {} : { address }),
      });
    } else if (isWanted) makeDefault(tx, site, row);
  },
  release(_tx, _site, row) {
    if (row.isDefault)
      throw conflict('The default sender cannot be removed. Make another one the default first.', 'default_sender');
  },
  shown: ({ checks: _, ...row }) => row,
});

function keepDefault(tx: Tx, site: Site, change: { name?: string | null; address?: string | null }): void {
  if (Object.keys(change).length === 0) return;
  const { name = site.settings.mail_from_name, address = site.settings.mail_from_address } = change;
  const settings = { ...site.settings, mail_from_name: name, mail_from_address: address };
  updateSite(tx, site.id, { settings, version: site.version + 1 });
}

/** The settings move to the row of the one that was the default, and the new one's row into the settings. */
function makeDefault(tx: Tx, site: Site, row: SenderRow): void {
  const before = senderRows.list(tx, site.id).find(({ isDefault }) => isDefault);
  if (before) {
    const { name, address } = asSender(site, before);
    senderRows.update(tx, before.id, { name, address, isDefault: false, version: before.version + 1 });
  }
  senderRows.update(tx, row.id, { name: null, address: null, isDefault: true });
  keepDefault(tx, site, row);
}

interface SenderToCheck {
  site: Site;
  address: string;
  selectors: readonly string[];
  /** The host that takes its mail. Null: the desk's own. */
  server: string | null;
}

export function senderToCheck(tx: Tx, ctx: Context, name: string, id: number): SenderToCheck {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, name);
  const row = senderRows.get(tx, site.id, id);
  if (!row) throw notFound('sender');
  return toCheck(tx, site, row, ctx);
}

export function toCheck(tx: Tx, site: Site, row: SenderRow, known: Known): SenderToCheck {
  const sender = asSender(site, row);
  const address = normaliseEmail(sender.address || deskAddress(tx, known));
  const mailbox = mailboxRows.list(tx, site.id).find((one) => one.address === address);
  return {
    site,
    address,
    selectors: sender.dkimSelectors,
    server: (mailbox ?? ownServer(tx, known))?.outgoing?.host ?? null,
  };
}

/** Keeps what DNS said, unless the sender has changed since. */
export function keepChecks(
  tx: Tx,
  ctx: Context,
  id: number,
  asked: SenderToCheck,
  found: RecordChecks,
): { site: Site; row: SenderRow } {
  const now = senderToCheck(tx, ctx, asked.site.slug, id);
  if (now.address !== asked.address || now.server !== asked.server || now.selectors.join() !== asked.selectors.join())
    throw new DeskError('conflict', 'The sender was changed while DNS was asked. Check it again.');
  const row = senderRows.get(tx, now.site.id, id);
  if (!row) throw notFound('sender');
  const checks: SenderChecks = { address: asked.address, checked_at: toWire(ctx.now), ...found };
  senderRows.update(tx, id, { checks });
  const statuses = { spf: found.spf.status, dkim: found.dkim.status, dmarc: found.dmarc.status };
  const target = { type: 'sender', id, name: asked.address } as const;
  audit(tx, ctx, { action: 'sender.checked', target, siteId: now.site.id, after: { statuses } });
  return { site: siteById(tx, now.site.id) ?? now.site, row: { ...row, checks } };
}

// Whom the mail of a site is from.

import { publicName } from '../../domain/sites/site.ts';
import type { Tx } from '../../engine/database.ts';
import { type SenderRow, senderRows } from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';

/** With the name and address of the default one, which are settings of the site. */
export type Sender = SenderRow;

/** The name and address that a mail is from. */
export interface From {
  name: string;
  address: string;
}

export function asSender({ settings }: Pick<Site, 'settings'>, row: Readonly<SenderRow>): Sender {
  return row.isDefault ? { ...row, name: settings.mail_from_name, address: settings.mail_from_address } : { ...row };
}

export function fromOf(site: Site, { name, address }: Pick<Sender, 'name' | 'address'>, deskAddress: string): From {
  return { name: name || publicName(site), address: address || deskAddress };
}

/** Under which its mail comes, now or once the names of senders are removed. */
export function namesOf(tx: Tx, site: Site): string[] {
  const names = senderRows.list(tx, site.id).map((row) => asSender(site, row).name);
  return [...new Set([...names, publicName(site), site.name])].flatMap((name) => name || []);
}

/** Of mail about this ticket; of the site without one, or when its sender was removed. */
export function senderOf(tx: Tx, site: Site, ticket: Pick<Ticket, 'senderId'> | null): Sender {
  const rows = senderRows.list(tx, site.id);
  const row = rows.find(({ id }) => id === ticket?.senderId) ?? rows.find(({ isDefault }) => isDefault);
  return asSender(site, row ?? { ...blankSender, id: 0, siteId: site.id, version: 1 });
}

export const blankSender = {
  name: null,
  address: null,
  dkimSelectors: [],
  isDefault: true,
  sortOrder: 1,
  checks: null,
};

/** The default sender of a new site, which it never loses. */
export function addDefaultSender(tx: Tx, siteId: number): void {
  senderRows.insert(tx, { ...blankSender, siteId, version: 1 });
}

/** Null: to none of them. */
export function senderAmong(tx: Tx, site: Site, addresses: readonly string[]): number | null {
  const senders = senderRows.list(tx, site.id).map((row) => asSender(site, row));
  for (const address of addresses) {
    const found = senders.find((sender) => sender.address === address);
    if (found) return found.id;
  }
  return null;
}

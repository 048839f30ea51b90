// The server of the desk's own mail that an owner has set in the browser. One that the environment names counts before it.

import type { OwnMailServer } from '../../domain/own-services.ts';
import type { Tx } from '../../engine/database.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import type { Mailbox } from '../../store/sites/catalogue.ts';
import type { Context } from '../context.ts';

export type Known = Pick<Context, 'hasMailServer' | 'mailFrom'>;

/** Mail goes through it as through the server of a mailbox that is not read. */
export function asMailbox({ address, ...server }: OwnMailServer, secretSealed: string | null): Mailbox {
  return {
    ...{ id: 0, siteId: 0, name: address, address, provider: 'other', authentication: 'password' },
    ...{ incoming: null, outgoing: { type: 'smtp', ...server }, secretSealed, outgoingSecretSealed: null },
    ...{ firstDays: null, saveSent: false, isPaused: false, hasCanary: false },
    ...{ consentFrom: null, consentUntil: null, createdAt: 0, version: 0 },
  };
}

/** Whether an owner has set it for the desk, and not a manager of a site for a mailbox. */
export const isOwnServer = ({ id, siteId }: Mailbox) => id === 0 && siteId === 0;

/** Null also where the environment names one. */
export function ownServer(tx: Tx, { hasMailServer }: Pick<Known, 'hasMailServer'>): Mailbox | null {
  if (hasMailServer) return null;
  const { mailServer, mailServerSecretSealed } = readDeskSettings(tx);
  return mailServer && asMailbox(mailServer, mailServerSecretSealed);
}

/** What mail of the desk itself, and of sites without an address of their own, is from. */
export const deskAddress = (tx: Tx, known: Known) => ownServer(tx, known)?.address ?? known.mailFrom;

/** Whether mail of the desk itself leaves, and is not only written to files. */
export const mailsOwn = (tx: Tx, known: Pick<Known, 'hasMailServer'>) =>
  known.hasMailServer || ownServer(tx, known) !== null;

// Tries a mailbox: signs in for reading and counts, and sends a mail to its own address. Says in words what happened.

import { newUlid } from '../base/ids.ts';
import type { Desk } from '../desk/desk.ts';
import { ownServer } from '../desk/outbox/own-server.ts';
import type { TrialReason } from '../domain/mail/mailbox.ts';
import { ImapFault } from '../mail/imap/connection.ts';
import { deskHeader } from '../mail/outgoing/compose.ts';
import { connectMailbox, type MailRoute, trySending, tryUrl } from '../outbox/mailbox-servers.ts';
import type { Mailbox } from '../store/sites/catalogue.ts';
import { deskIdOf } from './mail-reading.ts';

interface Tried {
  is_ok: boolean;
  /** Null when it works. */
  reason: TrialReason | null;
  message: string;
}

/** Null: the mailbox does not do that. */
export interface MailboxTrial {
  reading: Tried | null;
  sending: Tried | null;
}

/** @param to who gets its mail */
export async function tryMailbox(
  way: { desk: Desk; route: MailRoute },
  mailbox: Mailbox,
  to = mailbox.address,
): Promise<MailboxTrial> {
  const [reading, sending] = await Promise.all([
    mailbox.incoming === null ? null : tryReading(way, mailbox),
    mailbox.outgoing === null ? null : trySendingTo(way, mailbox, to),
  ]);
  return { reading, sending };
}

const reasons: Partial<Record<ImapFault['kind'], TrialReason>> = {
  credentials: 'password',
  consent: 'consent',
  certificate: 'certificate',
  throttled: 'busy',
};

async function tryReading(way: { desk: Desk; route: MailRoute }, mailbox: Mailbox): Promise<Tried> {
  const folder = mailbox.incoming?.folder ?? '';
  try {
    const connection = await connectMailbox(way, mailbox);
    try {
      await connection.open(folder, true);
    } catch (error) {
      const why = error instanceof ImapFault ? error.message : 'unknown error';
      return {
        is_ok: false,
        reason: 'folder',
        message: `Signing in works, but the folder ${folder} cannot be opened: ${why}`,
      };
    } finally {
      await connection.leave();
    }
    return { is_ok: true, reason: null, message: `Signed in as ${mailbox.incoming?.user} and opened ${folder}.` };
  } catch (error) {
    const reason = error instanceof ImapFault ? reasons[error.kind] : undefined;
    return {
      is_ok: false,
      reason: reason ?? 'other',
      message: error instanceof Error ? error.message : 'unknown error',
    };
  }
}

/** Tries the server of the desk's own mail: that of the environment, or else the one that an owner has set. */
export async function tryOwnServer(
  way: { desk: Desk; route: MailRoute },
  environment: { url: string | null; from: string },
  to: string,
): Promise<MailboxTrial> {
  const { url, from } = environment;
  if (url !== null)
    return { reading: null, sending: triedWith(await tryUrl(way, url, testMail(way.desk, from, to)), to) };
  const own = way.desk.read((tx) => ownServer(tx, { hasMailServer: false }));
  return own === null ? { reading: null, sending: null } : await tryMailbox(way, own, to);
}

const trySendingTo = async (way: { desk: Desk; route: MailRoute }, mailbox: Mailbox, to: string) =>
  triedWith(await trySending(way, mailbox, testMail(way.desk, mailbox.address, to)), to);

const testMail = (desk: Desk, from: string, to: string) => ({
  from,
  to,
  subject: 'Helpdesk: a test',
  text: `Helpdesk can send through the server of ${from}. You can delete this mail.`,
  messageId: `<${newUlid(desk.now())}@${from.split('@').at(-1)}>`,
  // The desk does not make a ticket of its own mail.
  headers: { [deskHeader]: deskIdOf(desk), 'Auto-Submitted': 'auto-generated' },
});

const triedWith = (fault: Awaited<ReturnType<typeof trySending>>, to: string): Tried =>
  fault === null ? { is_ok: true, reason: null, message: `Sent a test mail to ${to}.` } : { is_ok: false, ...fault };

// Looks after mailboxes beside reading them: until when certificates are good, and what ends soon.

import type { Instant } from '../base/clock.ts';
import type { Desk } from '../desk/desk.ts';
import { canariesDue, canariesLost, sendCanaries, tellLostCanaries } from '../desk/mail/canaries.ts';
import {
  certificatesDue,
  countdowns,
  noteCertificates,
  quietMailboxes,
  tellQuiet,
  watchExpiries,
} from '../desk/mail/mailbox-alarms.ts';
import type { MailRoute } from '../outbox/mailbox-servers.ts';

interface CheckOptions {
  desk: Desk;
  route: Pick<MailRoute, 'certificateTerm'>;
  /** Whether this machine stops, or no longer writes. */
  isStopping: () => boolean;
  /** Since when this machine reads mailboxes. */
  awakeSince: Instant;
}

/** A server that is silent takes ten seconds. The rest has its turn at the next run. */
const mostInRun = 20;

export async function checkMailboxes({ desk, route, isStopping, awakeSince }: CheckOptions): Promise<void> {
  const ctx = () => desk.context({ kind: 'desk' }, 'mailbox');
  if (desk.read((tx) => canariesLost(tx, desk.now(), awakeSince)).length > 0)
    await desk.write((tx) => tellLostCanaries(tx, ctx(), awakeSince));
  if (desk.read((tx) => canariesDue(tx, desk.now())).length > 0) await desk.write((tx) => sendCanaries(tx, ctx()));
  for (let run = 0; run < mostInRun; run += 1) {
    const due = desk.read((tx) => certificatesDue(tx, desk.now()));
    if (due === null) break;
    const terms = await Promise.all(due.servers.map(({ server, protocol }) => route.certificateTerm(server, protocol)));
    if (isStopping()) return;
    await desk.write((tx) => noteCertificates(tx, ctx(), due, terms));
  }
  if (desk.read((tx) => countdowns(tx, desk.now())).length > 0) await desk.write((tx) => watchExpiries(tx, ctx()));
  if (desk.read((tx) => quietMailboxes(tx, desk.now())).length > 0) await desk.write((tx) => tellQuiet(tx, ctx()));
}

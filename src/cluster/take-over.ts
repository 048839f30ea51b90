// How a replica becomes the primary while the primary still answers: by command, or because the primary's disk is full.

import { monotonicMs } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Contact } from './contact.ts';
import { handoverPeerPath } from './handover.ts';
import { promote } from './litefs.ts';
import { type Peers, peerPath } from './peers.ts';
import type { Room } from './room.ts';

// The primary waits for its deliveries first, thirty seconds at most.
const handoverMs = 45_000;

/** The primary hands over, then LiteFS moves the lease. Null, or why not, in sentences. */
export async function takeOver(peers: Pick<Peers, 'ask'>, litefsUrl: string, host: string): Promise<string | null> {
  const answer = await peers.ask(host, 'POST', peerPath + handoverPeerPath, { ms: handoverMs }).catch(() => null);
  if (answer?.ok !== true) return `The primary, ${host}, did not hand over. Nothing was changed.`;
  const fault = await promote(litefsUrl);
  return fault === null ? null : `${fault} The primary, ${host}, resumes in a few seconds.`;
}

// Each try interrupts the writes of the primary.
const tryEveryMs = 5 * 60_000;

export interface Relief {
  /** Takes over from a primary whose disk is full, if this machine is fit and has room; at most once in five minutes. */
  relieve(host: string): Promise<void>;
  /** Until then it takes over from no one: its database may have another schema than its executable. */
  allow(isFit: () => boolean): void;
}

interface ReliefOptions {
  peers: Pick<Peers, 'ask'>;
  contact: Pick<Contact, 'hearsConsul'>;
  litefsUrl: string;
  room: Pick<Room, 'isEnoughForPrimary'>;
  log: Log;
}

export function createRelief({ peers, contact, litefsUrl, room, log }: ReliefOptions): Relief {
  let isFit = () => false;
  let triedAt = Number.NEGATIVE_INFINITY;
  return {
    allow(isFitNow) {
      isFit = isFitNow;
    },
    async relieve(host) {
      // A static lease cannot move.
      if (!isFit() || !room.isEnoughForPrimary() || !contact.hearsConsul() || monotonicMs() - triedAt < tryEveryMs)
        return;
      triedAt = monotonicMs();
      const fault = await takeOver(peers, litefsUrl, host);
      if (fault === null) log.warn({ primary: host }, 'the disk of the primary is full: this machine takes over');
      else log.warn({ primary: host, fault }, 'the disk of the primary is full, and this machine did not take over');
    },
  };
}

// Presence on a replica: only the primary hears of it, so a replica with readers asks it each second.

import * as z from 'zod';
import { peerPath } from '../../cluster/peers.ts';
import { presenceStates } from '../../domain/tickets/presence.ts';
import type { ClusterEdge } from '../cluster-edge.ts';
import type { PresenceRegister } from './presence.ts';

export const presencePeerPath = 'presence';

const everyMs = 1000;
const patienceMs = 1500;

const answerShape = z.array(
  z.object({
    ticketId: z.int(),
    ulid: z.string(),
    siteId: z.int(),
    agents: z.array(z.object({ id: z.int(), name: z.string(), state: z.enum(presenceStates) })),
  }),
);

export async function mirrorPresence({ node, peers }: ClusterEdge, presence: PresenceRegister): Promise<void> {
  // What a former primary said no longer counts when this machine hears everything itself.
  if (node.isPrimary()) presence.mirror([]);
  const host = node.isPrimary() ? null : node.primaryHost();
  if (host === null) return;
  try {
    const answer = await peers.ask(host, 'GET', peerPath + presencePeerPath, { ms: patienceMs });
    if (answer.ok) presence.mirror(answerShape.parse(await answer.json()));
  } catch {
    // What was heard before expires on its own, and the next second brings another try.
  }
}

/** Starts when it is called, unless it runs already, and ends when it is not needed. */
export function createMirror(cluster: ClusterEdge, presence: PresenceRegister, isNeeded: () => boolean): () => void {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    while (isNeeded()) {
      await mirrorPresence(cluster, presence);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    isRunning = false;
  };
}

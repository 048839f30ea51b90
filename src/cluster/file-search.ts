// Files of a cluster without an object store: each lies on the machine that was the primary when it came.

import type { Node } from './node.ts';
import { type Peers, peerPath } from './peers.ts';

/** Below `peerPath`: the machines that the asked one knows to have been the primary. */
export const primariesPeerPath = 'primaries';

const fileTimeoutMs = 15_000;
const namesTimeoutMs = 3_000;

/**
 * Asks each machine that has been the primary: those that this machine knows, then those that these know.
 * Null when all of them answered and none has the file. Rejects when one that may have it cannot be reached.
 */
export function createFileSearch(node: Pick<Node, 'formerPrimaries'>, peers: Pick<Peers, 'ask'>) {
  return (kind: string) => async (ulid: string, method: 'GET' | 'HEAD', range: string | null) => {
    let fault: unknown = null;
    const asked = new Set<string>();
    const firstOf = async (hosts: readonly string[]): Promise<Response | null> => {
      for (const host of hosts) {
        if (asked.has(host)) continue;
        asked.add(host);
        try {
          const answer = await peers.ask(host, method, `${peerPath}files/${kind}/${ulid}`, {
            headers: range === null ? {} : { Range: range },
            ms: fileTimeoutMs,
          });
          if (answer.ok) return answer;
          await answer.body?.cancel();
          if (answer.status !== 404) fault = new Error(`${host} answered ${answer.status}`);
        } catch (error) {
          fault = error;
        }
      }
      return null;
    };
    const known = node.formerPrimaries();
    const found = (await firstOf(known)) ?? (await firstOf((await Promise.all(known.map(knownTo))).flat()));
    if (found === null && fault !== null) throw fault;
    return found;

    async function knownTo(host: string): Promise<string[]> {
      try {
        return await primariesKnownTo(host, peers);
      } catch (error) {
        fault = error;
        return [];
      }
    }
  };
}

export async function primariesKnownTo(host: string, peers: Pick<Peers, 'ask'>): Promise<string[]> {
  const answer = await peers.ask(host, 'GET', peerPath + primariesPeerPath, { ms: namesTimeoutMs });
  const names: unknown = answer.ok ? await answer.json() : [];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

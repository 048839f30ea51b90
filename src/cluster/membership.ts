// This machine in its cluster: its role, its way to the primary, and the other machines' files.

import type { Config } from '../base/config.ts';
import { createSeal, randomSecret } from '../base/crypto.ts';
import { isOnFly } from '../base/environment.ts';
import type { Log } from '../base/log.ts';
import { DeskError } from '../domain/errors.ts';
import type { CredentialUse } from '../domain/people/credential-use.ts';
import { type Contact, createContact } from './contact.ts';
import { createFileSearch } from './file-search.ts';
import { createForward, type Forward } from './forward.ts';
import { createHandover, type Handover } from './handover.ts';
import { type Mount, openMount } from './litefs.ts';
import { createNode, type Node } from './node.ts';
import { createPeers, type Peers, peerPath } from './peers.ts';
import { createPrimaryWatch, type PrimaryWatch } from './primary-watch.ts';
import { isReachable } from './reachable.ts';
import { createReplicas, type Replicas } from './replicas.ts';
import { createRoom, type Room } from './room.ts';
import { createRelief, type Relief } from './take-over.ts';

export interface Cluster {
  node: Node;
  peers: Peers;
  forward: Forward;
  isPrimary(): boolean;
  requirePrimary(): void;
  /** Whether it is the primary and nothing suggests that another one is. */
  isSureOfRole(): boolean;
  primaryWatch: PrimaryWatch;
  replicas: Replicas;
  room: Pick<Room, 'isEnough' | 'isEnoughForPrimary'>;
  relief: Pick<Relief, 'allow'>;
  contact: Pick<Contact, 'isCutOff' | 'endTurn'>;
  /** Whether the primary is known, accepts connections, and agrees about the time. */
  reachesPrimary(): Promise<boolean>;
  /** Why this machine has no database that it can use, in a sentence. */
  whyNoDatabase(state: 'missing' | 'older' | 'current'): string;
  /** Asks the primary, or on the primary itself, the one before it. */
  fetchFile(kind: string): (ulid: string, method: 'GET' | 'HEAD', range: string | null) => Promise<Response | null>;
  /** Hands uses of tokens and sessions to the primary, which stores them. */
  sendUses(uses: readonly CredentialUse[]): Promise<void>;
  mount: Pick<Mount, 'identity'>;
  handover: Handover;
  stop(): void;
}

const rivalTimeoutMs = 1_500;
// LiteFS's ttl is twice the longest silence. Consul ends a lease after up to twice the ttl, and the next one needs another second.
const leaseMsOf = (maxSilenceMs: number) => 4 * maxSilenceMs + 2_000;

export async function joinCluster(
  config: Config,
  database: string,
  log: Log,
  { freeBytes, staleMs }: { freeBytes?: ((path: string) => number) | undefined; staleMs?: number } = {},
): Promise<Cluster | null> {
  const { HELPDESK_LITEFS_DIR: folder, HELPDESK_SECRET_KEY: key } = config;
  if (folder === null || key === null) return null;
  const seal = createSeal(Buffer.from(key, 'base64'));
  const peers = createPeers(seal, config.HELPDESK_PEER_URL, randomSecret('node'));

  async function askRival(host: string): Promise<boolean | null> {
    try {
      const answer = await peers.ask(host, 'GET', `${peerPath}node`, { ms: rivalTimeoutMs });
      const told: unknown = answer.ok ? await answer.json() : null;
      if (typeof told !== 'object' || told === null) return null;
      // A name that leads back to this process is not a rival.
      return 'claims_primary' in told && told.claims_primary === true && 'name' in told && told.name !== peers.sender;
    } catch {
      // A machine that cannot be reached looks the same as one that is gone, which is when another must take over.
      return null;
    }
  }

  const mount = openMount(database);
  const named = createNode({ mount, litefsUrl: config.HELPDESK_LITEFS_URL, log, askRival, staleMs });
  // A primary that neither answers nor sends anything is none: nothing is forwarded to it.
  const node = { ...named, primaryHost: () => (primaryWatch.isMissing() ? null : named.primaryHost()) };
  const handover = createHandover(node);
  const contact = createContact({
    consulUrl: config.HELPDESK_CONSUL_URL,
    limitMs: config.HELPDESK_MAX_SILENCE,
    turnKey: `helpdesk/restart/${seal.fingerprint('consul', 'restart')}`,
  });
  const room = createRoom([config.HELPDESK_DATA, folder], freeBytes);
  const relief = createRelief({ peers, contact, litefsUrl: config.HELPDESK_LITEFS_URL, room, log });
  const primaryWatch = createPrimaryWatch({
    node: named,
    peers,
    contact,
    leaseMs: leaseMsOf(config.HELPDESK_MAX_SILENCE),
    onFullDisk: relief.relieve,
    log,
  });
  function requireRole(): void {
    node.requirePrimary();
    contact.requireContact();
  }
  await node.refresh();
  return {
    node,
    peers,
    forward: createForward({ node, peers, isOnFly: isOnFly() }),
    isPrimary: node.isPrimary,
    handover,
    requirePrimary() {
      requireRole();
      handover.requireWrites();
      room.require();
    },
    isSureOfRole() {
      try {
        requireRole();
        return true;
      } catch (error) {
        if (error instanceof DeskError) return false;
        throw error;
      }
    },
    primaryWatch,
    replicas: createReplicas(),
    room,
    relief,
    contact,
    async reachesPrimary() {
      const host = node.primaryHost();
      return host !== null && primaryWatch.clockGapMs() === null && (await isReachable(peers.addressOf(host)));
    },
    whyNoDatabase(state) {
      if (mount.identity() === null) return `LiteFS is not mounted at ${folder} on this machine.`;
      if (node.role() === 'unknown') return 'LiteFS does not answer on this machine.';
      return state === 'missing'
        ? 'The database has not arrived from the primary yet.'
        : 'The database has an older schema, which the primary has to migrate first.';
    },
    fetchFile: createFileSearch(node, peers),
    async sendUses(uses) {
      const host = node.primaryHost();
      if (host === null) throw new Error('there is no primary');
      const body = JSON.stringify(uses);
      const answer = await peers.ask(host, 'POST', `${peerPath}uses`, { body });
      if (!answer.ok) throw new Error(`${host} answered ${answer.status}`);
    },
    mount,
    stop() {
      node.stop();
      contact.stop();
      primaryWatch.stop();
      room.stop();
    },
  };
}

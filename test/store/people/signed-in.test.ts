// What a session allows follows every change at the next look, by this process or another.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { openStore, query, type Store, type Tx } from '../../../src/engine/database.ts';
import { createWriter } from '../../../src/engine/writer.ts';
import { updateDeskSettings } from '../../../src/store/desk-settings.ts';
import { deleteAgent, insertAgent, setAgentSites, updateAgent } from '../../../src/store/people/agents.ts';
import {
  deleteSession,
  insertSession,
  markSessionUsed,
  type SignedIn,
  signedInByHash,
  signedInById,
  updateSession,
} from '../../../src/store/people/sessions.ts';
import { manyTickets } from '../lists/many-tickets.ts';

const now = Date.UTC(2026, 8, 11);
const { store, siteIds } = manyTickets(0);
const path = query<{ file: string }>(store.reading, 'PRAGMA database_list').get()?.file ?? '';
const other = openStore(path, 'OFF');
afterAll(() => {
  other.close();
  store.close();
});

let agentId = 0;
let id = 0;
let hash = '';

beforeEach(() => {
  const tx = store.writing;
  hash = crypto.randomUUID();
  updateDeskSettings(tx, { requireSecondFactor: 'off' });
  agentId = insertAgent(tx, {
    email: `${hash}@a.example`,
    name: 'Kim',
    role: 'member',
    isActive: true,
    createdAt: now,
  });
  id = insertSession(tx, {
    agentId,
    tokenHash: hash,
    method: 'password',
    hasSecondFactor: false,
    address: '192.0.2.1',
    browser: null,
    system: null,
    confirmedAt: now,
    lastUsedAt: now,
    createdAt: now,
  });
});

const before: Partial<SignedIn> = { name: 'Kim', role: 'member', siteIds: [], policy: 'off', hasSecondFactor: false };
const [site = 0, nextSite = 0] = siteIds;

type Change = [what: string, change: (tx: Tx) => unknown, after: Partial<SignedIn> | undefined];
const changes: Change[] = [
  ['the end of the session', (tx) => deleteSession(tx, id), undefined],
  ['another token', (tx) => updateSession(tx, id, { tokenHash: `${hash} renewed` }), undefined],
  ['a factor', (tx) => updateSession(tx, id, { hasSecondFactor: true }), { hasSecondFactor: true }],
  ['deactivation', (tx) => updateAgent(tx, agentId, { isActive: false }), undefined],
  ['removal of the agent', (tx) => deleteAgent(tx, agentId), undefined],
  ['a role', (tx) => updateAgent(tx, agentId, { role: 'viewer' }), { role: 'viewer' }],
  ['a name', (tx) => updateAgent(tx, agentId, { name: 'Lee' }), { name: 'Lee' }],
  ['a site', (tx) => setAgentSites(tx, agentId, [site]), { siteIds: [site] }],
  ["the desk's rule", (tx) => updateDeskSettings(tx, { requireSecondFactor: 'everyone' }), { policy: 'everyone' }],
];

function expectSeen(reader: Store, after: Partial<SignedIn> | undefined): void {
  for (const tx of [reader.reading, reader.writing]) {
    const found = signedInByHash(tx, hash, now);
    if (after === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject({ id, agentId, ...before, ...after });
  }
}

describe('at the next look', () => {
  for (const [what, change, after] of changes)
    for (const [by, writer] of [['this process', store] as const, ['another process', other] as const])
      test(`${what} by ${by} is seen by both`, () => {
        for (const reader of [store, other]) expectSeen(reader, {});
        change(writer.writing);
        for (const reader of [store, other]) expectSeen(reader, after);
      });

  test('a site that an agent gets, changes and loses is seen', () => {
    for (const sites of [[site], [site, nextSite], [nextSite], []]) {
      setAgentSites(other.writing, agentId, sites);
      expect(signedInByHash(store.reading, hash, now)?.siteIds.toSorted()).toEqual(sites.toSorted());
    }
    setAgentSites(other.writing, agentId, [site]);
    expectSeen(store, { siteIds: [site] });
    query(other.writing, 'UPDATE agent_sites SET site_id = ? WHERE agent_id = ?').run(nextSite, agentId);
    expectSeen(store, { siteIds: [nextSite] });
  });

  test('a change that is undone was seen only by its own step', async () => {
    const failing = Error('not this one');
    const { write } = createWriter(store);
    const roles: unknown[] = [];
    const look = (tx: Tx) => roles.push(signedInById(tx, id, now)?.role);
    const undone = write((tx) => {
      look(tx);
      updateAgent(tx, agentId, { role: 'owner' });
      look(tx);
      throw failing;
    });
    await Promise.allSettled([undone, write(look)]);
    expect(roles).toEqual(['member', 'owner', 'member']);
    expectSeen(store, {});
  });
});

test('only the session is read again while nothing changes, and its use changes nothing', () => {
  const sites = () => signedInByHash(store.reading, hash, now)?.siteIds;
  setAgentSites(store.writing, agentId, [site]);
  const first = sites();
  expect(first).toEqual([site]);
  expect(sites()).toBe(first);
  markSessionUsed(other.writing, id, now + 1);
  expect(sites()).toBe(first);
  expect(signedInByHash(store.reading, hash, now)?.lastUsedAt).toBe(now + 1);
});

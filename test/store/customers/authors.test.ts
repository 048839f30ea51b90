// Sessions, links, factors and challenges as rows: what is found, what is used once, and what goes with an agent.

import { beforeEach, describe, expect, test } from 'bun:test';
import { query, type Store } from '../../../src/engine/database.ts';
import { signInPurges } from '../../../src/jobs/upkeep.ts';
import { readDeskSettings, updateDeskSettings } from '../../../src/store/desk-settings.ts';
import { deleteAgent, insertAgent, setAgentSites, updateAgent } from '../../../src/store/people/agents.ts';
import {
  challengeByHash,
  deleteChallenge,
  deleteChallengesOfAgent,
  insertChallenge,
  purgeChallenges,
} from '../../../src/store/people/challenges.ts';
import {
  confirmTotpSecret,
  countRecoveryCodes,
  deletePasskey,
  deletePasskeysOfAgent,
  deleteTotpSecret,
  insertPasskey,
  passkeyByCredential,
  passkeysOfAgent,
  putRecoveryCodes,
  putTotpSecret,
  takeRecoveryCode,
  takeTotpStep,
  totpSecretOf,
  updatePasskey,
} from '../../../src/store/people/factors.ts';
import {
  deleteSession,
  deleteSessionsOfAgent,
  insertSession,
  markSessionUsed,
  purgeSessions,
  sessionsBeyond,
  sessionsOfAgent,
  signedInByHash,
  signedInById,
  updateSession,
} from '../../../src/store/people/sessions.ts';
import {
  addSignInFailure,
  clearSignInFailures,
  purgeSignInFailures,
  signInFailures,
} from '../../../src/store/people/sign-in-failures.ts';
import {
  deleteSignInLink,
  deleteSignInLinks,
  deleteSignInLinksOfAgent,
  insertSignInLink,
  purgeSignInLinks,
  signInLinkByHash,
} from '../../../src/store/people/sign-in-links.ts';
import { migratedStore } from '../../support/store.ts';

const dayMs = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 8, 11);
let store: Store;
let tx: Store['writing'];
let kim: number;
let ann: number;

beforeEach(() => {
  store = migratedStore().store;
  tx = store.writing;
  const agent = (email: string) =>
    insertAgent(tx, { email, name: email.split('@')[0] ?? '', role: 'member', isActive: true, createdAt: now });
  kim = agent('kim@agents.example');
  ann = agent('ann@agents.example');
});

const session = (agentId: number, tokenHash: string, at = now) =>
  insertSession(tx, {
    agentId,
    tokenHash,
    method: 'password',
    hasSecondFactor: false,
    address: '192.0.2.1',
    browser: 'Firefox',
    system: 'Linux',
    confirmedAt: at,
    lastUsedAt: at,
    createdAt: at,
  });
const rows = (table: string) => query<{ n: number }>(tx, `SELECT count(*) AS n FROM ${table}`).get()?.n;

describe('a session', () => {
  test('is found with its agent, and with the sites that they belong to now', () => {
    const id = session(kim, 'a');
    expect(signedInByHash(tx, 'a', now)).toEqual({
      id,
      agentId: kim,
      name: 'kim',
      role: 'member',
      method: 'password',
      siteIds: [],
      hasSecondFactor: false,
      policy: 'off',
      confirmedAt: now,
      lastUsedAt: now,
      createdAt: now,
    });
    query(tx, 'PRAGMA foreign_keys = OFF').run();
    setAgentSites(tx, kim, [7, 3]);
    expect(signedInById(tx, id, now)?.siteIds.toSorted()).toEqual([3, 7]);
    expect(signedInByHash(tx, 'b', now)).toBeUndefined();
  });

  test('is not found once its agent is inactive', () => {
    session(kim, 'a');
    updateAgent(tx, kim, { isActive: false });
    expect(signedInByHash(tx, 'a', now)).toBeUndefined();
  });

  test('ends after 14 days without use, and after 90 days in any case', () => {
    const id = session(kim, 'a');
    expect(signedInByHash(tx, 'a', now + 14 * dayMs - 1)?.id).toBe(id);
    expect(signedInByHash(tx, 'a', now + 14 * dayMs)).toBeUndefined();
    for (let day = 10; day <= 80; day += 10) markSessionUsed(tx, id, now + day * dayMs);
    expect(signedInByHash(tx, 'a', now + 90 * dayMs - 1)?.id).toBe(id);
    expect(signedInByHash(tx, 'a', now + 90 * dayMs)).toBeUndefined();
    expect(purgeSessions(tx, now + 90 * dayMs - 1, 10)).toBe(0);
    expect(purgeSessions(tx, now + 90 * dayMs, 10)).toBe(1);
  });

  test('keeps its newest use, also for the agent', () => {
    const id = session(kim, 'a');
    markSessionUsed(tx, id, now + 5);
    markSessionUsed(tx, id, now + 3);
    expect(sessionsOfAgent(tx, kim).map(({ lastUsedAt }) => lastUsedAt)).toEqual([now + 5]);
    expect(query<{ at: number }>(tx, 'SELECT last_seen_at AS at FROM agents WHERE id = ?').get(kim)?.at).toBe(now + 5);
  });

  test('gets another token, and is ended alone, with the others, or with its agent', () => {
    const first = session(kim, 'a', now);
    const second = session(kim, 'b', now + 1);
    const third = session(kim, 'c', now + 2);
    session(ann, 'd');
    updateSession(tx, second, { tokenHash: 'e' });
    expect([signedInByHash(tx, 'b', now), signedInByHash(tx, 'e', now)?.id]).toEqual([undefined, second]);
    expect(sessionsBeyond(tx, kim, 1)).toEqual([first, second]);
    deleteSession(tx, first);
    deleteSessionsOfAgent(tx, kim, third);
    expect(sessionsOfAgent(tx, kim).map(({ id }) => id)).toEqual([third]);
    deleteSessionsOfAgent(tx, kim, null);
    expect(rows('sessions')).toBe(1);
    deleteAgent(tx, ann);
    expect(rows('sessions')).toBe(0);
  });
});

test('a link opens for its purpose until it expires or is taken away', () => {
  const link = (purpose: 'setup' | 'invitation' | 'reset', tokenHash: string, agentId: number | null) =>
    insertSignInLink(tx, { purpose, agentId, tokenHash, createdAt: now, expiresAt: now + 100 });
  const setup = link('setup', 's', null);
  link('invitation', 'i', kim);
  link('reset', 'r', kim);
  expect(signInLinkByHash(tx, 'setup', 's', now + 99)?.id).toBe(setup);
  expect(signInLinkByHash(tx, 'setup', 's', now + 100)).toBeUndefined();
  expect(signInLinkByHash(tx, 'reset', 'i', now)).toBeUndefined();
  deleteSignInLinks(tx, 'setup', null);
  expect(rows('sign_in_links')).toBe(2);
  deleteSignInLink(tx, signInLinkByHash(tx, 'invitation', 'i', now)?.id ?? 0);
  deleteSignInLinksOfAgent(tx, kim);
  expect(rows('sign_in_links')).toBe(0);
  link('reset', 'x', ann);
  expect([purgeSignInLinks(tx, now + 99, 10), purgeSignInLinks(tx, now + 100, 10)]).toEqual([0, 1]);
});

test('a TOTP step and a recovery code count once', () => {
  putTotpSecret(tx, kim, 'sealed', now);
  expect(totpSecretOf(tx, kim)).toEqual({
    agentId: kim,
    secretSealed: 'sealed',
    confirmedAt: null,
    lastStep: 0,
    createdAt: now,
  });
  confirmTotpSecret(tx, kim, now + 1);
  expect([10, 10, 9, 11].map((step) => takeTotpStep(tx, kim, step))).toEqual([true, false, false, true]);
  expect(totpSecretOf(tx, kim)?.confirmedAt).toBe(now + 1);
  deleteTotpSecret(tx, kim);
  expect(totpSecretOf(tx, kim)).toBeUndefined();

  putRecoveryCodes(tx, kim, ['a', 'b']);
  expect(['a', 'a', 'c'].map((hash) => takeRecoveryCode(tx, kim, hash, now))).toEqual([true, false, false]);
  expect([takeRecoveryCode(tx, ann, 'b', now), countRecoveryCodes(tx, kim)]).toEqual([false, 1]);
  putRecoveryCodes(tx, kim, ['c', 'd', 'e']);
  expect([takeRecoveryCode(tx, kim, 'b', now), countRecoveryCodes(tx, kim)]).toEqual([false, 3]);
});

test('passkeys are found by their credential, and removed only by their own agent', () => {
  const passkey = {
    agentId: kim,
    name: 'Laptop',
    credentialId: 'c1',
    publicKey: 'k',
    signCount: 0,
    transports: ['internal'],
    isBackedUp: true,
    lastUsedAt: null,
    createdAt: now,
  };
  const id = insertPasskey(tx, passkey);
  updatePasskey(tx, id, { signCount: 4 });
  expect(passkeyByCredential(tx, 'c1')).toEqual({ ...passkey, id, signCount: 4 });
  deletePasskey(tx, ann, id);
  expect(passkeysOfAgent(tx, kim)).toHaveLength(1);
  deletePasskey(tx, kim, id);
  insertPasskey(tx, passkey);
  deletePasskeysOfAgent(tx, kim);
  expect(passkeysOfAgent(tx, kim)).toEqual([]);
});

test('a challenge is found for its purpose until it expires', () => {
  const challenge = (tokenHash: string) =>
    insertChallenge(tx, {
      purpose: 'second_factor',
      tokenHash,
      agentId: kim,
      sessionId: null,
      dataSealed: '',
      createdAt: now,
      expiresAt: now + 100,
    });
  const id = challenge('a');
  expect(challengeByHash(tx, 'second_factor', 'a', now + 99)?.id).toBe(id);
  expect(challengeByHash(tx, 'oidc', 'a', now)).toBeUndefined();
  expect(challengeByHash(tx, 'second_factor', 'a', now + 100)).toBeUndefined();
  deleteChallenge(tx, id);
  challenge('b');
  deleteChallengesOfAgent(tx, kim);
  challenge('c');
  expect([purgeChallenges(tx, now + 99, 10), purgeChallenges(tx, now + 100, 10)]).toEqual([0, 1]);
});

test('failures are counted in a row', () => {
  for (const at of [1, 2, 3]) addSignInFailure(tx, 'f', at);
  expect(signInFailures(tx, 'f')).toEqual({ failures: 3, failedAt: 3 });
  clearSignInFailures(tx, 'f');
  expect(signInFailures(tx, 'f')).toBeUndefined();
  addSignInFailure(tx, 'f', 5);
  expect([purgeSignInFailures(tx, 4, 10), purgeSignInFailures(tx, 5, 10)]).toEqual([0, 1]);
});

test('the sweep leaves what lives, and takes what has ended', () => {
  session(kim, 'a');
  insertSignInLink(tx, { purpose: 'reset', agentId: kim, tokenHash: 'l', createdAt: now, expiresAt: now + 100 });
  insertChallenge(tx, {
    purpose: 'oidc',
    tokenHash: 'c',
    agentId: null,
    sessionId: null,
    dataSealed: '',
    createdAt: now,
    expiresAt: now + 100,
  });
  addSignInFailure(tx, 'f', now);
  const sweep = (at: number) => signInPurges.map((purge) => purge(tx, at, 10));
  expect(sweep(now + 99)).toEqual([0, 0, 0, 0]);
  expect(sweep(now + 90 * dayMs)).toEqual([1, 1, 1, 1]);
});

test('the desk has settings from the start', () => {
  expect(readDeskSettings(tx)).toEqual({
    id: 1,
    name: 'Helpdesk',
    locale: 'en',
    timeZone: 'UTC',
    requireSecondFactor: 'off',
    agentReports: 'all',
    ...{ mailServer: null, mailServerSecretSealed: null, issuer: null, issuerSecretSealed: null },
    ...{ baseUrl: null, inboundDomain: null, bucket: null, bucketSecretSealed: null, bucketFolders: [] },
    version: 1,
    notifications: {},
    pushContent: true,
  });
  updateDeskSettings(tx, { name: 'Shop', requireSecondFactor: 'everyone' });
  expect(readDeskSettings(tx)).toMatchObject({ name: 'Shop', requireSecondFactor: 'everyone', version: 2 });
});

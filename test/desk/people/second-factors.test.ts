// Spending a factor: each code once, each signature in its turn, and nothing of another agent.

import { afterAll, describe, expect, test } from 'bun:test';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { secondFactorsOf, spendFactor } from '../../../src/desk/people/second-factors.ts';
import {
  confirmTotpSecret,
  insertPasskey,
  putRecoveryCodes,
  putTotpSecret,
} from '../../../src/store/people/factors.ts';
import { workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

let people = 0;
function agent(): number {
  people += 1;
  return bench.do((tx, ctx) => addAgent(tx, ctx, { email: `a${people}@desk.example`, name: 'A' })).id;
}

function withTotp(isConfirmed = true): number {
  const id = agent();
  bench.do((tx, ctx) => {
    putTotpSecret(tx, id, 'sealed', ctx.now);
    if (isConfirmed) confirmTotpSecret(tx, id, ctx.now);
  });
  return id;
}

function withPasskey(credentialId: string, signCount: number): number {
  const agentId = agent();
  bench.do((tx, ctx) =>
    insertPasskey(tx, {
      agentId,
      name: 'Laptop',
      credentialId,
      publicKey: 'x',
      signCount,
      transports: [],
      isBackedUp: false,
      lastUsedAt: null,
      createdAt: ctx.now,
    }),
  );
  return agentId;
}

const spend = (id: number, proof: Parameters<typeof spendFactor>[3]) =>
  bench.do((tx, ctx) => spendFactor(tx, ctx, id, proof));
const totp = (step: number, secretSealed = 'sealed') => ({ kind: 'totp', secretSealed, step }) as const;
const factorsOf = (id: number) => bench.do((tx) => secondFactorsOf(tx, id));

describe('a code of an app', () => {
  test('counts once, and no earlier one counts after it', () => {
    const id = withTotp();
    expect([100, 100, 99, 101, 100].map((step) => spend(id, totp(step)))).toEqual([true, false, false, true, false]);
  });

  test('counts neither before the app is confirmed nor after the secret has changed', () => {
    expect(spend(withTotp(false), totp(100))).toBe(false);
    expect(spend(withTotp(), totp(100, 'another secret'))).toBe(false);
    expect(spend(agent(), totp(100))).toBe(false);
  });
});

describe('a recovery code', () => {
  const code = (text: string) => ({ kind: 'recovery_code', code: text }) as const;

  test('counts once, for its own agent, who has another factor', () => {
    const [id, other, alone] = [withTotp(), withTotp(), agent()];
    for (const one of [id, alone]) {
      bench.do((tx, ctx) => putRecoveryCodes(tx, one, [ctx.seal.fingerprint('recovery-code', 'abcd')]));
    }
    expect(spend(other, code('abcd'))).toBe(false);
    expect(spend(id, code('abce'))).toBe(false);
    expect(factorsOf(id)).toEqual(['totp', 'recovery_code']);
    expect([spend(id, code('abcd')), spend(id, code('abcd'))]).toEqual([true, false]);
    expect(factorsOf(id)).toEqual(['totp']);
    expect(spend(alone, code('abcd'))).toBe(false);
    expect(factorsOf(alone)).toEqual([]);
  });
});

describe('a passkey', () => {
  const proof = (credentialId: string, formerSignCount: number, signCount: number) =>
    ({ kind: 'passkey', credentialId, formerSignCount, signCount }) as const;

  test('counts for its own agent, and its signatures in their turn', () => {
    const id = withPasskey('one', 5);
    expect(factorsOf(id)).toEqual(['passkey']);
    expect(spend(agent(), proof('one', 5, 6))).toBe(false);
    expect(spend(id, proof('two', 5, 6))).toBe(false);
    // Two requests that were checked against the same count: one of them comes too late.
    expect([spend(id, proof('one', 5, 6)), spend(id, proof('one', 5, 7))]).toEqual([true, false]);
    expect(spend(id, proof('one', 6, 7))).toBe(true);
  });

  test('that counts no signatures counts again', () => {
    const id = withPasskey('synced', 0);
    expect([spend(id, proof('synced', 0, 0)), spend(id, proof('synced', 0, 0))]).toEqual([true, true]);
  });
});

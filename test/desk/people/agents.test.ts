// Agents and team tokens.

import { afterAll, describe, expect, test } from 'bun:test';
import { hashSecret } from '../../../src/base/crypto.ts';
import {
  addAgent,
  changeAgent,
  findAgent,
  listAllAgents,
  listAssignableAgents,
  removeAgent,
} from '../../../src/desk/people/agents.ts';
import { noteCredentialUses } from '../../../src/desk/people/sessions.ts';
import { issueToken, listTokens, revokeToken } from '../../../src/desk/people/tokens.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { teamTokenByHash, teamTokenRows } from '../../../src/store/people/team-tokens.ts';
import { minute, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());
const other = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other' })).site;

describe('an agent', () => {
  test('has one address, in whatever case', () => {
    const ann = bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'Ann@Desk.example', name: 'Ann' }));
    expect(ann).toMatchObject({ role: 'member', isActive: true, siteIds: [] });
    expect(bench.refusal((tx, ctx) => addAgent(tx, ctx, { email: 'ann@desk.example', name: 'x' })).reason).toBe(
      'email_taken',
    );
    expect(bench.do((tx, ctx) => findAgent(tx, ctx, 'ANN@desk.example')).id).toBe(ann.id);
    const bob = bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'bob@desk.example', name: 'Bob' }));
    expect(bench.refusal((tx, ctx) => changeAgent(tx, ctx, bob.id, { email: 'ANN@DESK.example' })).reason).toBe(
      'email_taken',
    );
    expect(bench.do((tx, ctx) => changeAgent(tx, ctx, ann.id, { email: 'ann@desk.example' })).email).toBe(
      'ann@desk.example',
    );
  });

  test('works on the sites named, or on all', () => {
    const cy = bench.do((tx, ctx) =>
      addAgent(tx, ctx, { email: 'cy@desk.example', name: 'Cy', sites: [other.id, other.id] }),
    );
    expect(cy.siteIds).toEqual([other.id]);
    const assignable = (slug: string) =>
      bench.do((tx, ctx) => listAssignableAgents(tx, ctx, slug)).map(({ name }) => name);
    expect(assignable(other.slug)).toContain('Cy');
    expect(assignable(bench.site.slug)).not.toContain('Cy');
    bench.do((tx, ctx) => changeAgent(tx, ctx, cy.id, { sites: [] }));
    expect(assignable(bench.site.slug)).toContain('Cy');
    bench.do((tx, ctx) => changeAgent(tx, ctx, cy.id, { is_active: false }));
    expect(assignable(bench.site.slug)).not.toContain('Cy');
    expect(
      bench.refusal((tx, ctx) => addAgent(tx, ctx, { email: 'd@desk.example', name: 'D', sites: [bench.site.id, 999] }))
        .errors,
    ).toHaveProperty(['sites.1']);
  });

  test('removed keeps their name on what they said', () => {
    const eve = bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'eve@desk.example', name: 'Eve' }));
    bench.do((tx, ctx) => removeAgent(tx, ctx, eve.id));
    expect(bench.refusal((tx, ctx) => findAgent(tx, ctx, `${eve.id}`)).code).toBe('not_found');
  });

  test("is the whole desk's affair", () => {
    for (const actor of [token(['read', 'write']), token(['read', 'manage'], other.id)]) {
      expect(bench.refusal((tx, ctx) => addAgent(tx, ctx, { email: 'x@desk.example', name: 'x' }), actor).code).toBe(
        'forbidden',
      );
      expect(bench.refusal((tx, ctx) => removeAgent(tx, ctx, 1), actor).code).toBe('forbidden');
    }
    expect(bench.refusal((tx, ctx) => listAllAgents(tx, ctx), token(['read'], other.id)).code).toBe('forbidden');
  });
});

const known = (secret: string, now = 0) => teamTokenByHash(bench.tx, hashSecret(secret), now)?.id;

describe('a team token', () => {
  test('is answered once, stored hashed, and known until it expires', () => {
    const expires = bench.clock.now() + 10 * minute;
    const { token: row, secret } = bench.do((tx, ctx) =>
      issueToken(tx, ctx, { name: 'CI', abilities: ['read', 'read'], expires_at: expires }),
    );
    expect(secret).toMatch(/^hdt_[\w-]{43}$/);
    expect(row.abilities).toEqual(['read']);
    expect(JSON.stringify(bench.everything()).includes(secret)).toBe(false);
    expect(known(secret, expires - 1)).toBe(row.id);
    expect(known(secret, expires)).toBeUndefined();
    expect(known(`${secret}x`)).toBeUndefined();
    expect(known('')).toBeUndefined();
  });

  test('revoked is unknown at once', () => {
    const { token: row, secret } = bench.do((tx, ctx) => issueToken(tx, ctx, { name: 'Old', abilities: ['read'] }));
    bench.do((tx, ctx) => revokeToken(tx, ctx, row.id));
    expect(known(secret)).toBeUndefined();
    expect(bench.refusal((tx, ctx) => revokeToken(tx, ctx, row.id)).code).toBe('not_found');
  });

  test('remembers its last use, never an earlier one', () => {
    const { token: row } = bench.do((tx, ctx) => issueToken(tx, ctx, { name: 'Used', abilities: ['read'] }));
    bench.do((tx) => noteCredentialUses(tx, [{ kind: 'token', id: row.id, at: 500 }]));
    bench.do((tx) =>
      noteCredentialUses(tx, [
        { kind: 'token', id: row.id, at: 400 },
        { kind: 'token', id: 999, at: 1 },
      ]),
    );
    expect(teamTokenRows.get(bench.tx, row.id)?.lastUsedAt).toBe(500);
  });

  test('that makes no sense is refused', () => {
    const issue = (input: object) =>
      bench.refusal((tx, ctx) => issueToken(tx, ctx, { name: 'x', abilities: ['read'], ...input }));
    expect(issue({ site_id: 999 }).errors).toHaveProperty('site_id');
    expect(issue({ expires_at: bench.clock.now() }).errors).toHaveProperty('expires_at');
    expect(
      bench.refusal(
        (tx, ctx) => issueToken(tx, ctx, { name: 'x', abilities: ['read'] }),
        token(['read', 'manage'], other.id),
      ).code,
    ).toBe('forbidden');
    expect(bench.refusal((tx, ctx) => listTokens(tx, ctx, 10, 0), token(['read', 'write'])).code).toBe('forbidden');
  });

  test('is gone with the site that it was confined to', () => {
    const { site } = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Brief' }));
    const { secret } = bench.do((tx, ctx) =>
      issueToken(tx, ctx, { name: 'Brief', abilities: ['read'], site_id: site.id }),
    );
    bench.tx.client.run('UPDATE sites SET default_priority_id = NULL, sla_policy_id = NULL WHERE id = ?', [site.id]);
    bench.tx.client.run('DELETE FROM sites WHERE id = ?', [site.id]);
    expect(known(secret)).toBeUndefined();
  });
});

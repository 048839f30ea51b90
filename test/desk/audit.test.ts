// The rows that changes of the desk add to the audit log, in their own transaction.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { audit } from '../../src/desk/audit.ts';
import { eraseAuthor } from '../../src/desk/customers/authors.ts';
import { addChannel, channels, rotateSigningSecret } from '../../src/desk/outbox/channels.ts';
import { addAgent, changeAgent, removeAgent } from '../../src/desk/people/agents.ts';
import { issueToken, revokeToken } from '../../src/desk/people/tokens.ts';
import { inboundRules } from '../../src/desk/rules/rules.ts';
import { categories } from '../../src/desk/sites/catalogue/categories.ts';
import { priorities } from '../../src/desk/sites/catalogue/priorities.ts';
import { removeSite } from '../../src/desk/sites/removal.ts';
import { rotateInboundSecret, rotateSiteToken } from '../../src/desk/sites/secrets.ts';
import { changeSite, createSite } from '../../src/desk/sites/sites.ts';
import { query } from '../../src/engine/database.ts';
import { token, type Workbench, workbench } from './workbench.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.close());

interface Row {
  id: number;
  action: string;
  actor_type: string;
  actor_id: number | null;
  actor_name: string | null;
  address: string | null;
  site_id: number | null;
  target_type: string;
  target_id: number | null;
  target_name: string | null;
  before: string | null;
  after: string | null;
}

/** The rows that `act` adds. */
function rowsOf(act: () => unknown): Row[] {
  const newest = query<{ id: number }>(bench.tx, 'SELECT coalesce(max(id), 0) AS id FROM audit_log').get()?.id ?? 0;
  act();
  return query<Row>(bench.tx, 'SELECT * FROM audit_log WHERE id > ? ORDER BY id').all(newest);
}
const actionsOf = (act: () => unknown) => rowsOf(act).map(({ action }) => action);
const sides = (rows: Row[]) =>
  rows.map(({ before, after }) => [JSON.parse(before ?? 'null'), JSON.parse(after ?? 'null')]);
const slug = () => bench.site.slug;

describe('a row', () => {
  test('has who did what to what, when, from where, on which site', () => {
    bench.clock.advance(5000);
    const ctx = { ...bench.desk.context(token(['manage']), 'test'), address: '192.0.2.7' };
    const [row] = rowsOf(() => bench.do((tx) => changeSite(tx, ctx, slug(), { name: 'Web store' }, null)));
    expect(row).toMatchObject({
      action: 'site.updated',
      at: bench.clock.now(),
      actor_type: 'token',
      actor_id: 1,
      actor_name: 'Team',
      address: '192.0.2.7',
      site_id: bench.site.id,
      target_type: 'site',
      target_id: bench.site.id,
      target_name: 'Web shop',
      before: '{"name":"Web shop"}',
      after: '{"name":"Web store"}',
    });
  });

  test('of the command line has no address', () => {
    const [row] = rowsOf(() => bench.do((tx, ctx) => rotateSiteToken(tx, ctx, slug(), 10)));
    expect(row).toMatchObject({
      actor_type: 'command_line',
      actor_id: null,
      address: null,
      after: '{"grace_minutes":10}',
    });
  });

  test('of someone who did not sign in names no one', () => {
    const [row] = rowsOf(() =>
      bench.do((tx, ctx) => audit(tx, ctx, { action: 'session.refused', target: { type: 'agent', id: null } }), {
        kind: 'application',
        siteId: 3,
      }),
    );
    expect(row).toMatchObject({
      actor_type: 'unknown',
      actor_id: null,
      actor_name: null,
      target_id: null,
      site_id: null,
    });
  });

  test('goes with its change when the step fails', () => {
    const rows = rowsOf(() => {
      expect(() =>
        bench.do((tx, ctx) => {
          rotateSiteToken(tx, ctx, slug(), null);
          throw new Error('later');
        }),
      ).toThrow('later');
    });
    expect(rows).toEqual([]);
  });

  test('never changes and is never removed', () => {
    expect(() => bench.tx.client.run("UPDATE audit_log SET action = 'x'")).toThrow('never change');
    expect(() => bench.tx.client.run('DELETE FROM audit_log')).toThrow('are kept');
  });
});

describe('rows of', () => {
  test('sites, with a row of its own for the SLA policy', () => {
    const made = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Third' }));
    const name = made.site.slug;
    expect(
      actionsOf(() =>
        bench.do((tx, ctx) => changeSite(tx, ctx, name, { name: 'A', sla_policy: { warn_at_percent: 50 } }, null)),
      ),
    ).toEqual(['site.updated', 'sla_policy.updated']);
    expect(actionsOf(() => bench.do((tx, ctx) => changeSite(tx, ctx, name, { name: 'A' }, null)))).toEqual([]);
    expect(actionsOf(() => bench.do((tx, ctx) => rotateInboundSecret(tx, ctx, name, null)))).toEqual([
      'site.inbound_secret_rotated',
    ]);
    expect(actionsOf(() => bench.do((tx, ctx) => removeSite(tx, ctx, name, name, null)))).toEqual(['site.deleted']);
  });

  test('the catalogue', () => {
    const add = (name: string) => bench.do((tx, ctx) => categories.add(tx, ctx, slug(), { name })).row.id;
    let id = 0;
    expect(
      actionsOf(() => {
        id = add('Billing');
        bench.do((tx, ctx) => categories.change(tx, ctx, slug(), id, { color: '#112233' }, null));
        bench.do((tx, ctx) => categories.change(tx, ctx, slug(), id, { color: '#112233' }, null));
      }),
    ).toEqual(['category.created', 'category.updated']);
    const ids = bench.do((tx, ctx) => categories.list(tx, ctx, slug())).rows.map((row) => row.id);
    const [ordered] = rowsOf(() => bench.do((tx, ctx) => categories.order(tx, ctx, slug(), { ids: ids.toReversed() })));
    expect(ordered).toMatchObject({ action: 'category.ordered', target_id: bench.site.id });
    expect(sides([ordered!])[0]).toEqual([
      { ids, order: ['General', 'Billing'] },
      { ids: ids.toReversed(), order: ['Billing', 'General'] },
    ]);
    expect(rowsOf(() => bench.do((tx, ctx) => categories.remove(tx, ctx, slug(), id, null)))).toMatchObject([
      { action: 'category.deleted', target_id: id, target_name: 'Billing', after: null },
    ]);
  });

  test('a new default priority, which changes the site', () => {
    const rows = rowsOf(() =>
      bench.do((tx, ctx) => priorities.add(tx, ctx, slug(), { name: 'Odd', is_default: true })),
    );
    expect(rows.map(({ action }) => action)).toEqual(['priority.created', 'site.updated']);
    expect(sides(rows)[1]?.[0]).toEqual({ default_priority_id: bench.freshSite(bench.site.id).defaultPriorityId! - 3 });
  });

  test('channels and rules', () => {
    const input = { name: 'Hook', type: 'custom', webhook_url: 'https://h.example/SECRET', events: [] } as const;
    let id = 0;
    const rows = rowsOf(() => {
      id = bench.do((tx, ctx) => addChannel(tx, ctx, slug(), { ...input, events: ['ticket.created'] })).channel.id;
      bench.do((tx, ctx) => channels.change(tx, ctx, slug(), id, { is_active: false }, null));
      bench.do((tx, ctx) => rotateSigningSecret(tx, ctx, slug(), id, 5));
      bench.do((tx, ctx) =>
        inboundRules.add(tx, ctx, slug(), { name: 'R', conditions: [], actions: [{ type: 'discard', value: null }] }),
      );
    });
    expect(rows.map(({ action }) => action)).toEqual([
      'webhook_channel.created',
      'webhook_channel.updated',
      'webhook_channel.secret_rotated',
      'inbound_rule.created',
    ]);
    expect(JSON.stringify(rows)).not.toContain('SECRET');
    expect(JSON.stringify(rows)).not.toContain('whsec_');
  });

  test('agents and tokens', () => {
    const email = 'ann@agents.example';
    const rows = rowsOf(() => {
      const { id } = bench.do((tx, ctx) => addAgent(tx, ctx, { email, name: 'Ann', sites: [bench.site.id] }));
      bench.do((tx, ctx) => changeAgent(tx, ctx, id, { role: 'admin', sites: [] }));
      bench.do((tx, ctx) => removeAgent(tx, ctx, id));
      const issued = bench.do((tx, ctx) => issueToken(tx, ctx, { name: 'CI', abilities: ['read'] }));
      bench.do((tx, ctx) => revokeToken(tx, ctx, issued.token.id));
    });
    expect(rows.map(({ action, site_id }) => [action, site_id])).toEqual([
      ['agent.created', bench.site.id],
      ['agent.updated', null],
      ['agent.deleted', null],
      ['token.issued', null],
      ['token.revoked', null],
    ]);
    expect(sides(rows)[1]).toEqual([
      { role: 'member', sites: [bench.site.id] },
      { role: 'admin', sites: [] },
    ]);
    expect(JSON.stringify(rows)).not.toContain('hash');
  });

  test('an erasure, without anything of the person', () => {
    bench.open();
    const rows = rowsOf(() =>
      bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'mia@example.org' })),
    );
    expect(rows).toMatchObject([
      { action: 'author.anonymised', target_type: 'author', target_name: null, after: '{"tickets_scrubbed":1}' },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/mia/i);
  });
});

// Sites: what a new one has, slugs, rotated secrets, and that a removed one is gone from every table.

import { afterAll, describe, expect, test } from 'bun:test';
import { hashSecret } from '../../../src/base/crypto.ts';
import { newUlid } from '../../../src/base/ids.ts';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { addChannel, rotateSigningSecret } from '../../../src/desk/outbox/channels.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { issueToken } from '../../../src/desk/people/tokens.ts';
import { inboundRules } from '../../../src/desk/rules/rules.ts';
import { categories } from '../../../src/desk/sites/catalogue/categories.ts';
import { customFields } from '../../../src/desk/sites/catalogue/custom-fields.ts';
import { priorities } from '../../../src/desk/sites/catalogue/priorities.ts';
import { removeSite } from '../../../src/desk/sites/removal.ts';
import { rotateInboundSecret, rotateSiteToken } from '../../../src/desk/sites/secrets.ts';
import { changeSite, createSite, listVisibleSites, readSite, siteEtag } from '../../../src/desk/sites/sites.ts';
import { attachAsCustomer } from '../../../src/desk/tickets/attachments.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { addNote, replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { query } from '../../../src/engine/database.ts';
import { channelRows, priorityRows } from '../../../src/store/sites/catalogue.ts';
import { siteByInboundSecretHash, siteByTokenHash } from '../../../src/store/sites/sites.ts';
import { kinds, minute, start, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());
const make = (input: Parameters<typeof createSite>[2]) => bench.do((tx, ctx) => createSite(tx, ctx, input));

describe('a new site', () => {
  test('has its starter catalogue, and secrets that are nowhere in clear', () => {
    const { site, siteToken, inboundSecret } = make({ name: 'Fresh' });
    expect(kinds(bench)).toEqual(['site.created']);
    expect(siteToken).toMatch(/^hds_/);
    expect(priorityRows.list(bench.tx, site.id).map(({ slug }) => slug)).toEqual(['low', 'normal', 'high', 'urgent']);
    expect(bench.do((tx, ctx) => categories.list(tx, ctx, 'fresh')).rows.map(({ name }) => name)).toEqual(['General']);
    const all = JSON.stringify(bench.everything());
    expect(all.includes(siteToken)).toBe(false);
    expect(all.includes(inboundSecret)).toBe(false);
    expect(bench.desk.seal.open(site.inboundSecretSealed)).toBe(inboundSecret);
  });

  test('gets a slug that no one has', () => {
    const slugs = Array.from({ length: 3 }, () => make({ name: 'Café & Bar' }).site.slug);
    expect(slugs).toEqual(['cafe-bar', 'cafe-bar-2', 'cafe-bar-3']);
    const long = 'x'.repeat(200);
    expect(make({ name: long }).site.slug).toBe('x'.repeat(64));
    expect(make({ name: long }).site.slug).toBe(`${'x'.repeat(58)}-2`);
    // A slug of digits would be taken for an id.
    expect(make({ name: '12345' }).site.slug).toMatch(/^site-[0-9a-z]{6}$/);
    expect(make({ name: '日本' }).site.slug).toMatch(/^site-[0-9a-z]{6}$/);
    expect(bench.refusal((tx, ctx) => createSite(tx, ctx, { name: 'x', slug: 'cafe-bar' })).reason).toBe('slug_taken');
    expect(make({ name: 'Wished', slug: 'wish' }).site.slug).toBe('wish');
  });

  test('is made by those who manage the whole desk', () => {
    const create = (actor: ReturnType<typeof token>) =>
      bench.refusal((tx, ctx) => createSite(tx, ctx, { name: 'x' }), actor).code;
    expect(create(token(['read', 'write']))).toBe('forbidden');
    expect(create(token(['manage'], bench.site.id))).toBe('forbidden');
  });

  test('with a policy that does not hold together is refused', () => {
    const before = bench.everything();
    const policy = {
      business_hours: { timezone: 'Mars/Olympus', weekly: { mon: [['09:00', '17:00']] as [string, string][] } },
    };
    expect(bench.refusal((tx, ctx) => createSite(tx, ctx, { name: 'x', sla_policy: policy })).errors).toHaveProperty([
      'sla_policy.business_hours.timezone',
    ]);
    expect(bench.everything()).toEqual(before);
  });
});

describe('a site', () => {
  test('is found by id, ulid and slug, inside the scope', () => {
    const { site } = make({ name: 'Found' });
    for (const name of [`${site.id}`, site.ulid, site.ulid.toLowerCase(), 'found'])
      expect(bench.do((tx, ctx) => readSite(tx, ctx, name)).id).toBe(site.id);
    expect(bench.refusal((tx, ctx) => readSite(tx, ctx, 'found'), token(['read'], bench.site.id)).code).toBe(
      'not_found',
    );
    expect(
      bench.do((tx, ctx) => listVisibleSites(tx, ctx, 100, 0), token(['read'], site.id)).rows.map(({ id }) => id),
    ).toEqual([site.id]);
  });

  test('changes merge at the first level, with a version and an event', () => {
    const { site } = make({ name: 'Changing', settings: { auto_close_days: 7 } });
    const etag = siteEtag(site);
    const changed = bench.do((tx, ctx) =>
      changeSite(tx, ctx, site.slug, { name: 'Changed', settings: { acknowledge: false } }, [etag]),
    );
    expect(changed.settings).toMatchObject({ auto_close_days: 7, acknowledge: false });
    expect(changed.slug).toBe(site.slug);
    expect(bench.freshSite(site.id)).toEqual(changed);
    expect(kinds(bench)).toEqual(['site.updated']);
    expect(bench.refusal((tx, ctx) => changeSite(tx, ctx, site.slug, { name: 'Late' }, [etag])).code).toBe(
      'precondition_failed',
    );
    expect(bench.refusal((tx, ctx) => changeSite(tx, ctx, site.slug, { slug: bench.site.slug }, null)).reason).toBe(
      'slug_taken',
    );
    bench.do((tx, ctx) => changeSite(tx, ctx, site.slug, { slug: site.slug }, null));
    expect(bench.do((tx, ctx) => changeSite(tx, ctx, site.slug, { slug: 'renamed' }, null)).slug).toBe('renamed');
  });
});

describe('a secret that is turned over', () => {
  for (const what of ['site token', 'inbound secret'] as const) {
    const rotate = (slug: string, grace: number | null) =>
      bench.do((tx, ctx) =>
        what === 'site token'
          ? rotateSiteToken(tx, ctx, slug, grace).siteToken
          : rotateInboundSecret(tx, ctx, slug, grace).inboundSecret,
      );
    const find = (secret: string) =>
      (what === 'site token' ? siteByTokenHash : siteByInboundSecretHash)(
        bench.tx,
        hashSecret(secret),
        bench.clock.now(),
      )?.id;

    test(`lives on for its grace and not longer: ${what}`, () => {
      const made = make({ name: `Rotating ${what}` });
      const old = what === 'site token' ? made.siteToken : made.inboundSecret;
      const { slug, id } = made.site;
      const second = rotate(slug, 10);
      expect(kinds(bench)).toEqual(['site.updated']);
      expect([find(old), find(second)]).toEqual([id, id]);
      bench.clock.advance(10 * minute - 1);
      expect(find(old)).toBe(id);
      bench.clock.advance(1);
      expect(find(old)).toBeUndefined();
      expect(find(second)).toBe(id);
      const third = rotate(slug, null);
      expect(find(second)).toBeUndefined();
      const fourth = rotate(slug, 10);
      // Only the previous one has a grace period.
      const fifth = rotate(slug, 10);
      expect([find(third), find(fourth), find(fifth)]).toEqual([undefined, id, id]);
    });
  }

  test('signs for both while its grace lasts: signing secret of a channel', () => {
    const { site } = make({ name: 'Signing' });
    const { channel, signingSecret } = bench.do((tx, ctx) =>
      addChannel(tx, ctx, site.slug, {
        name: 'Chat',
        type: 'custom',
        webhook_url: 'https://hooks.example.org/x',
        events: ['ticket.created'],
      }),
    );
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(JSON.stringify(bench.everything()).includes(signingSecret)).toBe(false);
    const rotated = bench.do((tx, ctx) => rotateSigningSecret(tx, ctx, site.slug, channel.id, 5));
    const row = channelRows.get(bench.tx, site.id, channel.id);
    expect(bench.desk.seal.open(row?.signingSecretSealed ?? '')).toBe(rotated.signingSecret);
    expect(bench.desk.seal.open(row?.previousSigningSecretSealed ?? '')).toBe(signingSecret);
    expect(row?.previousSigningSecretExpiresAt).toBe(bench.clock.now() + 5 * minute);
  });
});

describe('removing a site', () => {
  test('needs its slug said', () => {
    const { site } = make({ name: 'Kept' });
    for (const confirm of [null, '', 'other'])
      expect(bench.refusal((tx, ctx) => removeSite(tx, ctx, site.slug, confirm, null)).reason).toBe(
        'confirmation_required',
      );
    expect(
      bench.refusal((tx, ctx) => removeSite(tx, ctx, site.slug, site.slug, null), token(['read', 'write'])).code,
    ).toBe('forbidden');
  });

  test('leaves no row of it in any table, but its blanked events and the audit log', () => {
    const { site } = make({ name: 'Doomed' });
    const slug = site.slug;
    bench.do((tx, ctx) => {
      const agent = addAgent(tx, ctx, { email: 'doomed@desk.example.org', name: 'Doomed', sites: [site.id] });
      addAgent(tx, ctx, { email: 'owner@desk.example.org', name: 'Owner', role: 'owner' });
      issueToken(tx, ctx, { name: 'scoped', abilities: ['read'], site_id: site.id });
      categories.add(tx, ctx, slug, { name: 'More' });
      priorities.add(tx, ctx, slug, { name: 'More', is_default: true });
      customFields.add(tx, ctx, slug, { key: 'more', label: 'More', type: 'text' });
      addChannel(tx, ctx, slug, {
        name: 'Chat',
        type: 'slack',
        webhook_url: 'https://hooks.example.org/x',
        events: ['ticket.created'],
      });
      inboundRules.add(tx, ctx, slug, {
        name: 'Rule',
        conditions: [{ field: 'subject', operator: 'contains', value: 'x' }],
        actions: [{ type: 'add_tags', value: ['a'] }],
      });
      changeSite(tx, ctx, slug, { sla_policy: { warn_at_percent: 50 } }, null);
      return agent;
    });
    const agentId = query<{ id: number }>(bench.tx, "SELECT id FROM agents WHERE name = 'Doomed'").get()?.id ?? 0;
    const opened = Array.from(
      { length: 3 },
      (_, at) => bench.open({ email: `doomed${at}@example.org`, name: 'Doomed', tags: ['doomed'] }, site).ticket,
    );
    const [one, two, three] = opened as [
      (typeof opened)[0] & object,
      (typeof opened)[0] & object,
      (typeof opened)[0] & object,
    ];
    const ulid = newUlid(start);
    bench.do((tx, ctx) => {
      changeTicket(tx, ctx, one.ulid, { assigned_to: agentId, status: 'pending' }, null);
      const { message } = replyAsAgent(tx, ctx, one.ulid, { body: 'Doomed reply', agent_id: agentId });
      addNote(tx, ctx, one.ulid, { body: 'Doomed note' });
      attachAsCustomer(
        tx,
        ctx,
        bench.ticket(one.id),
        { ulid, filename: 'doomed.txt', contentType: 'text/plain', size: 1, sha256: '' },
        null,
      );
      mergeTickets(tx, ctx, two.ulid, one.ulid);
      eraseAuthor(tx, ctx, { site_id: site.id, email: 'doomed2@example.org' });
      return message;
    });
    expect(three.siteId).toBe(site.id);
    const seqs = query<{ seq: number }>(bench.tx, 'SELECT seq FROM events WHERE site_id = ?').all(site.id).length;

    const files = bench.do((tx, ctx) => removeSite(tx, ctx, slug, slug, null));
    expect(files).toEqual([ulid]);
    expect(kinds(bench)).toEqual(['site.deleted']);
    const left: Record<string, unknown[]> = {};
    for (const [table, rows] of Object.entries(bench.everything())) {
      const ofSite = (rows as Record<string, unknown>[]).filter(
        (row) =>
          row.site_id === site.id ||
          (table === 'sites' && row.id === site.id) ||
          opened.some(({ id }) => row.ticket_id === id || (table === 'tickets' && row.id === id)) ||
          (table !== 'agents' && /doomed/i.test(JSON.stringify(row))),
      );
      if (ofSite.length > 0) left[table] = ofSite;
    }
    expect(Object.keys(left).sort()).toEqual(['audit_log', 'events']);
    const events = left.events as { data: string; actor: string; ticket_id: number | null; kind: string }[];
    expect(events).toHaveLength(seqs + 1);
    for (const event of events.filter(({ kind }) => kind !== 'site.deleted')) {
      expect(event).toMatchObject({ data: '{}', ticket_id: null });
      expect(JSON.parse(event.actor)).toEqual({ type: 'desk', id: null, name: null });
    }
    // Nor in the full-text index, which no foreign key covers.
    for (const table of ['ticket_search', 'author_search']) {
      const rows = query<{ n: number }>(
        bench.tx,
        `SELECT count(*) AS n FROM ${table} WHERE ${table} MATCH '"doomed"'`,
      ).get();
      expect(rows?.n).toBe(0);
    }
    expect(query(bench.tx, 'PRAGMA foreign_key_check').all()).toEqual([]);
    // Agents of only that site do not belong to every site now.
    expect(
      query<{ is_active: number }>(bench.tx, 'SELECT is_active FROM agents WHERE id = ?').get(agentId)?.is_active,
    ).toBe(0);
  });
});

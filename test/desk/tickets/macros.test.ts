// Macros: whose they are, their variables, and what hostile values become (docs/spec/console.md#macros).

import { afterAll, describe, expect, test } from 'bun:test';
import type { Context } from '../../../src/desk/context.ts';
import { addAgent, removeAgent } from '../../../src/desk/people/agents.ts';
import { categories } from '../../../src/desk/sites/catalogue/categories.ts';
import { customFields } from '../../../src/desk/sites/catalogue/custom-fields.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { previewMacro } from '../../../src/desk/tickets/apply-macro.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import {
  addMacro,
  canChangeMacro,
  changeMacro,
  findMacro,
  listMacros,
  macros,
  removeMacro,
} from '../../../src/desk/tickets/macros.ts';
import type { Actor, AgentActor, Role } from '../../../src/domain/actor.ts';
import { scopeOfAgent } from '../../../src/domain/actor.ts';
import { type MacroInput, macroInput } from '../../../src/domain/input/macros.ts';
import { abilitiesOf } from '../../../src/domain/people/roles.ts';
import { mostMacros } from '../../../src/domain/sites/limits.ts';
import { query, type Tx } from '../../../src/engine/database.ts';
import type { Macro } from '../../../src/store/tickets/macros.ts';
import { kinds, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

const other = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'School' })).site;

function person(name: string, role: Role = 'member', siteIds: number[] = []): AgentActor {
  const { id } = bench.do((tx, ctx) =>
    addAgent(tx, ctx, { email: `${name}@example.org`, name, role, sites: siteIds } as never),
  );
  return {
    kind: 'agent',
    agentId: id,
    name,
    role,
    abilities: abilitiesOf(role),
    scope: scopeOfAgent({ role, siteIds }),
    sessionId: 1,
  };
}
const kim = person('kim');
const lee = person('lee');
const boss = person('boss', 'admin');
const viewer = person('viewer', 'viewer');

const given = (input: Partial<MacroInput>) => macroInput.parse({ name: 'Hello', body: 'Hi', ...input });
const add = (input: Partial<MacroInput>, actor: Actor = kim) =>
  bench.do((tx, ctx) => addMacro(tx, ctx, given(input)), actor);
const refused = (verb: (tx: Tx, ctx: Context) => unknown, actor: Actor = kim) => bench.refusal(verb, actor);
const names = (actor: Actor, site: string | null = null) =>
  bench.do((tx, ctx) => listMacros(tx, ctx, site).map(({ name }) => name), actor);
const filled = (macro: Macro, ticket: string, actor: Actor = kim) =>
  bench.do((tx, ctx) => previewMacro(tx, ctx, macro.id, ticket), actor);

const anyTicket = bench.open().ticket.ulid;

describe('a macro of one’s own', () => {
  test('is seen, changed and removed by its agent alone, and leaves no audit row', () => {
    const macro = add({ name: 'Mine' });
    const rows = () => query(bench.tx, "SELECT 1 FROM audit_log WHERE target_type = 'macro'").all().length;
    expect(rows()).toBe(0);
    expect(names(kim)).toContain('Mine');
    for (const actor of [lee, boss, token(['read', 'write', 'manage'])]) {
      expect(names(actor)).not.toContain('Mine');
      for (const verb of [
        (tx: Tx, ctx: Context) => findMacro(tx, ctx, macro.id),
        (tx: Tx, ctx: Context) => changeMacro(tx, ctx, macro.id, { name: 'Theirs' }, null),
        (tx: Tx, ctx: Context) => removeMacro(tx, ctx, macro.id, null),
        (tx: Tx, ctx: Context) => previewMacro(tx, ctx, macro.id, anyTicket),
      ])
        expect(refused(verb, actor).code).toBe('not_found');
    }
    bench.do((tx, ctx) => removeMacro(tx, ctx, macro.id, null), kim);
    expect(names(kim)).not.toContain('Mine');
    expect(rows()).toBe(0);
  });

  test('goes with its agent, and a shared one stays for the team', () => {
    const gone = person('gone');
    add({ name: 'Own of gone' }, gone);
    const shared = add({ name: 'Shared of gone', is_shared: true }, gone);
    bench.do((tx, ctx) => removeAgent(tx, ctx, gone.agentId));
    expect(query(bench.tx, "SELECT name FROM macros WHERE name LIKE '%of gone'").all()).toEqual([
      { name: 'Shared of gone' },
    ]);
    expect(bench.do((tx, ctx) => changeMacro(tx, ctx, shared.id, { name: 'Of all' }, null), lee).name).toBe('Of all');
  });

  test('cannot belong to a token', () => {
    expect(
      refused((tx, ctx) => addMacro(tx, ctx, given({ is_shared: false })), token(['read', 'write'])).errors,
    ).toEqual({
      is_shared: ['The is shared field must be true: only an agent who signed in has macros of their own.'],
    });
  });
});

describe('a shared macro', () => {
  test('is changed by its agent or with manage, is in the audit log, and its site tells', () => {
    const macro = add({ name: 'Team', is_shared: true, site_id: bench.site.id });
    expect(bench.events.map(({ kind, data }) => [kind, data.macro, data.change])).toEqual([
      ['site.updated', macro.id, 'created'],
    ]);
    expect(names(lee)).toContain('Team');
    expect(refused((tx, ctx) => changeMacro(tx, ctx, macro.id, { body: 'Ho' }, null), lee).reason).toBe(
      'missing_ability',
    );
    expect(refused((tx, ctx) => removeMacro(tx, ctx, macro.id, null), lee).reason).toBe('missing_ability');
    bench.do((tx, ctx) => changeMacro(tx, ctx, macro.id, { body: 'Ho' }, [macros.etag(macro)]), kim);
    expect(refused((tx, ctx) => changeMacro(tx, ctx, macro.id, { body: 'He' }, [macros.etag(macro)]), kim).code).toBe(
      'precondition_failed',
    );
    bench.do((tx, ctx) => removeMacro(tx, ctx, macro.id, null), boss);
    const actions = query<{ action: string }>(
      bench.tx,
      'SELECT action FROM audit_log WHERE target_id = ? AND target_type = ?',
    ).all(macro.id, 'macro');
    // A change of only the text shows nothing that the log keeps.
    expect(actions.map(({ action }) => action)).toEqual(['macro.created', 'macro.deleted']);
  });

  test('for all sites is told to each site', () => {
    const told = () => bench.events.map(({ siteId, data }) => [siteId, data.change]);
    const macro = add({ name: 'Everywhere', is_shared: true });
    expect(told()).toEqual([
      [bench.site.id, 'created'],
      [other.id, 'created'],
    ]);
    bench.do((tx, ctx) => changeMacro(tx, ctx, macro.id, { site_id: other.id }, null), boss);
    expect(told()).toEqual([
      [bench.site.id, 'updated'],
      [other.id, 'updated'],
    ]);
    bench.do((tx, ctx) => removeMacro(tx, ctx, macro.id, null), boss);
    expect(told()).toEqual([[other.id, 'deleted']]);
  });

  test('says whether it can be changed, as changing it does', () => {
    const nearby = person('nearby', 'admin', [bench.site.id]);
    const macros = [
      add({ name: 'Mine to change' }),
      add({ name: 'Of the site', is_shared: true, site_id: bench.site.id }),
      add({ name: 'Of all sites', is_shared: true }),
      add({ name: 'Of no agent' }, token(['read', 'write'])),
    ];
    const tried = (macro: Macro, actor: Actor) => {
      try {
        bench.do((tx, ctx) => changeMacro(tx, ctx, macro.id, {}, null), actor);
        return true;
      } catch {
        return false;
      }
    };
    const answers = macros.map((macro) =>
      [kim, lee, boss, nearby, viewer].map((actor) => {
        const said = bench.do((_tx, ctx) => canChangeMacro(ctx, macro), actor);
        // Only its agent is ever shown one that is not shared.
        if (macro.isShared) expect(said).toBe(tried(macro, actor));
        return said;
      }),
    );
    expect(answers).toEqual([
      [true, false, true, true, false],
      [true, false, true, true, false],
      [true, false, true, false, false],
      [true, true, true, false, false],
    ]);
    for (const { id } of macros) bench.do((tx, ctx) => removeMacro(tx, ctx, id, null), kim);
  });

  test('of another site is not there for an agent of one', () => {
    const macro = add({ name: 'Of the school', is_shared: true, site_id: other.id }, boss);
    const here = person('here', 'admin', [bench.site.id]);
    expect(names(here)).not.toContain('Of the school');
    expect(names(boss, bench.site.slug)).not.toContain('Of the school');
    expect(names(boss, other.slug)).toContain('Of the school');
    expect(refused((tx, ctx) => findMacro(tx, ctx, macro.id), here).code).toBe('not_found');
    expect(refused((tx, ctx) => addMacro(tx, ctx, given({ site_id: other.id })), here).errors).toHaveProperty(
      'site_id',
    );
    expect(refused((tx, ctx) => addMacro(tx, ctx, given({ is_shared: true })), here).reason).toBe('site_scoped');
    const mine = add({ name: 'Mine here' }, here);
    expect(refused((tx, ctx) => changeMacro(tx, ctx, mine.id, { is_shared: true }, null), here).reason).toBe(
      'site_scoped',
    );
    expect(
      refused((tx, ctx) => changeMacro(tx, ctx, mine.id, { site_id: other.id }, null), here).errors,
    ).toHaveProperty('site_id');
    expect(refused((tx, ctx) => previewMacro(tx, ctx, macro.id, anyTicket), boss).errors).toHaveProperty('macro_id');
  });

  test('does not tell an agent of one site which fields the others have', () => {
    const field = { key: 'pupil', label: 'Pupil', type: 'text' } as never;
    bench.do((tx, ctx) => customFields.add(tx, ctx, other.slug, field));
    const there = person('there', 'member', [other.id]);
    const elsewhere = person('elsewhere', 'member', [bench.site.id]);
    const body = 'About {{field.pupil}}';
    for (const actor of [boss, there]) expect(add({ name: 'Mine', body }, actor).body).toBe(body);
    expect(refused((tx, ctx) => addMacro(tx, ctx, given({ body })), elsewhere).errors?.body).toEqual([
      'The body field names the unknown variable {{field.pupil}}.',
    ]);
  });

  test('cannot be made by a viewer', () => {
    expect(refused((tx, ctx) => addMacro(tx, ctx, given({})), viewer).reason).toBe('missing_ability');
  });
});

describe('what a macro names', () => {
  test('must be there', () => {
    const category = bench.do((tx, ctx) => categories.add(tx, ctx, other.slug, { name: 'Lessons' } as never)).row;
    for (const [input, path] of [
      [{ body: 'Hi {{author.nam}}' }, 'body'],
      [{ body: '{{field.unknown}} {{ }}' }, 'body'],
      [{ body: '', changes: {} }, 'body'],
      [{ changes: { priority_id: 1 } }, 'changes.priority_id'],
      [{ site_id: bench.site.id, changes: { priority_id: 999 } }, 'changes.priority_id'],
      [{ changes: { category_id: category.id } }, 'changes.category_id'],
      [{ site_id: bench.site.id, changes: { category_id: category.id } }, 'changes.category_id'],
      [{ changes: { assigned_to: 999 } }, 'changes.assigned_to'],
      [{ changes: { status: 'resolved', snooze_hours: 4 } }, 'changes.snooze_hours'],
      [{ site_id: 999 }, 'site_id'],
    ] as const)
      expect(Object.keys(refused((tx, ctx) => addMacro(tx, ctx, given(input as never)))?.errors ?? {})).toEqual([path]);
  });

  test('is named in the refusal, ten at most', () => {
    const body = Array.from({ length: 400 }, (_, at) => `{{no.${at}}}`).join(' ');
    const { errors } = refused((tx, ctx) => addMacro(tx, ctx, given({ body })));
    expect(errors?.body).toHaveLength(10);
    expect(errors?.body?.[0]).toBe('The body field names the unknown variable {{no.0}}.');
  });

  test('beyond the limit of macros is refused', () => {
    const full = person('full');
    bench.tx.client.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO macros (agent_id, name, body, body_format, changes, is_shared, position, created_at, updated_at)
       SELECT ?, 'x', 'x', 'text', '{}', 0, n, 1, 1 FROM numbers`,
      [mostMacros.own, full.agentId],
    );
    expect(refused((tx, ctx) => addMacro(tx, ctx, given({})), full).errors).toHaveProperty('is_shared');
    expect(add({ is_shared: true }, full).isShared).toBe(true);
  });
});

describe('applied to a ticket', () => {
  const field = (key: string, type: string) =>
    bench.do((tx, ctx) =>
      customFields.add(tx, ctx, bench.site.slug, {
        key,
        label: key,
        type,
        options: type === 'multiselect' ? ['S', 'M'] : [],
      } as never),
    );
  field('order', 'text');
  field('sizes', 'multiselect');
  field('notes', 'textarea');

  test('its variables have the values of that ticket and this agent', () => {
    const { ticket } = bench.open({ name: 'Mia Jansen', custom_fields: { order: 'A-41' } });
    const macro = add({
      body: 'Hello {{author.name}}, about {{ ticket.reference }} ({{field.order}}, {{field.sizes}}): {{agent.name}} of {{site.name}}. {{ {a} }}',
    });
    expect(filled(macro, ticket.ulid).body).toBe(
      `Hello Mia Jansen, about #${ticket.id} (A-41, ): kim of Web shop. {{ {a} }}`,
    );
    const nameless = bench.open({ name: null, email: 'someone@example.org' }).ticket;
    expect(filled(macro, nameless.ulid).body).toStartWith('Hello someone@example.org,');
  });

  test('a value is put in once, whatever it says', () => {
    const { ticket } = bench.open({ email: 'trick@example.org', name: '{{agent.name}} $& {{field.order}}' });
    expect(filled(add({ body: 'Hello {{author.name}}' }), ticket.ulid).body).toBe(
      'Hello {{agent.name}} $& {{field.order}}',
    );
  });

  test('in Markdown a value is only text', () => {
    const macro = add({ body: 'Hello **{{author.name}}**\n\n{{author.name}}', body_format: 'markdown' });
    const said = (name: string) => {
      const { ticket } = bench.open({ email: `m${name.length}${name.charCodeAt(0)}@example.org`, name });
      return filled(macro, ticket.ulid).body.split('\n\n')[1];
    };
    expect(said('[Pay here](https://evil.example)')).toBe('\\[Pay here\\](https\\://evil.example)');
    expect(said('![x](//evil.example/p.png)')).toBe('\\!\\[x\\](//evil.example/p.png)');
    expect(said('<img src=x onerror=alert(1)>')).toBe('\\<img src=x onerror=alert(1)\\>');
    expect(said('www.evil.example')).toBe('www\\.evil.example');
    expect(said('# Big')).toBe('\\# Big');
    expect(said('1. One')).toBe('1\\. One');
    expect(said('- item')).toBe('\\- item');
    expect(said('Jean-Luc O’Neil_2')).toBe('Jean-Luc O’Neil\\_2');
  });

  test('its changes are those of a PATCH', () => {
    const { ticket } = bench.open();
    const macro = add({ changes: { assigned_to: 'me', snooze_hours: 4, add_tags: ['waiting'] } });
    const { changes } = filled(macro, ticket.ulid);
    expect(changes).toEqual({
      assigned_to: kim.agentId,
      snoozed_until: bench.clock.now() + 4 * 3_600_000,
      add_tags: ['waiting'],
    });
    const changed = bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.ulid, changes, null), kim);
    expect(changed).toMatchObject({ status: 'pending', assigneeId: kim.agentId, tags: ['waiting'] });
    expect(kinds(bench)).toEqual(['ticket.updated', 'ticket.assigned', 'ticket.status_changed']);
    const shared = add({ is_shared: true, changes: { assigned_to: 'me' } });
    expect(
      refused((tx, ctx) => previewMacro(tx, ctx, shared.id, ticket.ulid), token(['read', 'write'])).errors,
    ).toHaveProperty('macro_id');
  });

  test('ten thousand characters of braces are read at once', () => {
    const { ticket } = bench.open();
    const body = '{{'.repeat(5000);
    expect(filled(add({ body }), ticket.ulid).body).toBe(body);
    const many = `${'{{site.name}}'.repeat(750)}`;
    expect(filled(add({ body: many }), ticket.ulid).body).toBe('Web shop'.repeat(750));
  });
});

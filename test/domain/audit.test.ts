// What the audit log shows of a change.

import { describe, expect, test } from 'bun:test';
import { auditActions, changeOf } from '../../src/domain/audit.ts';

test('every action is a noun and what was done to it', () => {
  expect(auditActions.filter((action) => !/^[a-z_]+\.[a-z_]+$/.test(action))).toEqual([]);
  expect(new Set(auditActions).size).toBe(auditActions.length);
});

describe('a change', () => {
  test('of two sides has only what differs, under the wire’s names', () => {
    const before = { name: 'Billing', sortOrder: 1, isActive: true };
    expect(changeOf('category', before, { name: 'Billing', sortOrder: 2, isActive: false })).toEqual({
      before: { sort_order: 1, is_active: true },
      after: { sort_order: 2, is_active: false },
    });
  });

  test('that leaves out columns leaves them as they are', () => {
    expect(changeOf('category', { name: 'Billing', color: '#000000' }, { color: '#ffffff' })).toEqual({
      before: { color: '#000000' },
      after: { color: '#ffffff' },
    });
  });

  test('that changes nothing is none', () => {
    expect(changeOf('category', { name: 'Billing' }, { name: 'Billing' })).toBeNull();
    expect(changeOf('site', { name: 'Shop', version: 1 }, { name: 'Shop', version: 2 })).toBeNull();
  });

  test('of one side has all that is shown of it, and nothing else', () => {
    expect(changeOf('token', null, { name: 'CI', abilities: ['read'], siteId: null, tokenHash: 'HASH' })).toEqual({
      before: null,
      after: { name: 'CI', abilities: ['read'], site_id: null },
    });
    expect(changeOf('desk', null, null)).toEqual({ before: null, after: null });
  });

  test('of a column that is not shown whole is still seen', () => {
    const url = (path: string) => ({ webhookUrl: `https://hooks.example.org/${path}?key=SECRET` });
    const side = { webhook_url: 'https://hooks.example.org/…' };
    expect(changeOf('webhook_channel', url('OLD'), url('NEW'))).toEqual({ before: side, after: side });
  });

  test('of a rule shows neither the values of its conditions nor its free texts', () => {
    const after = {
      conditions: [{ field: 'from', operator: 'equals', value: 'mia@example.org', negate: false }],
      actions: [
        { type: 'forward', value: 'books@agents.example' },
        { type: 'note', value: 'Mia Jansen again' },
      ],
    };
    expect(changeOf('inbound_rule', null, after)?.after).toEqual({
      conditions: [{ field: 'from', operator: 'equals', negate: false }],
      actions: [{ type: 'forward', value: 'books@agents.example' }, { type: 'note' }],
    });
  });

  test('of a field shows how many options it has', () => {
    const shown = changeOf('custom_field', { options: ['Mia', 'Ann'] }, { options: ['Mia', 'Kim'] });
    expect(shown).toEqual({ before: { options: 2 }, after: { options: 2 } });
  });

  test('is short, however much was written', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 'x'.repeat(5000) : [deep(levels - 1)]);
    const after = { name: 'é'.repeat(5000), options: Array(5000).fill('option'), description: deep(50) };
    const shown = changeOf('custom_field', null, { ...after, label: 'x'.repeat(1_000_000) });
    expect(JSON.stringify(shown).length).toBeLessThan(2000);
  });
});

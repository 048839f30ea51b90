// Removing a category, an agent or a channel that many rows name: gone at once, and its references cleared in steps.

import { expect, test } from 'bun:test';
import { addAgent, findAgent, listAllAgents, listAssignableAgents, removeAgent } from '../../src/desk/people/agents.ts';
import { query } from '../../src/engine/database.ts';
import { detachRest } from '../../src/jobs/small-steps.ts';
import { hasDetachments } from '../../src/store/detachments.ts';
import { testApp } from '../support/app.ts';

async function manyTickets(values: Record<string, number>) {
  const app = await testApp();
  const { ulid } = await app.open();
  await app.desk.write((tx) => {
    const columns = query<{ name: string }>(tx, 'PRAGMA table_info(tickets)')
      .all()
      .map(({ name }) => name)
      .filter((name) => !['id', 'ulid'].includes(name));
    tx.client.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 350)
       INSERT INTO tickets (id, ulid, ${columns.join(', ')}) SELECT 1000 + n, 'copy' || n, ${columns.join(', ')}
       FROM numbers, tickets WHERE tickets.id = 1`,
    );
    for (const [column, value] of Object.entries(values)) tx.client.run(`UPDATE tickets SET ${column} = ?`, [value]);
    return null;
  });
  const count = (text: string, ...given: number[]) =>
    app.desk.read((tx) => query<{ n: number }>(tx, `SELECT count(*) AS n FROM ${text}`).get(...given)?.n);
  return { ...app, ulid, count };
}

test('a category of many tickets is gone with the answer, and its tickets lose it in steps', async () => {
  const app = await manyTickets({ category_id: 1 });
  const path = `/api/v1/sites/${app.site.slug}/categories`;
  const [category] = (await app.asTeam('GET', path)).json.data;
  expect(category.id).toBe(1);
  expect((await app.asTeam('DELETE', `${path}/1`)).status).toBe(204);
  expect((await app.asTeam('GET', path)).json.data).toEqual([]);
  expect((await app.asTeam('GET', `${path}/1`)).status).toBe(404);
  expect((await app.asTeam('DELETE', `${path}/1`)).status).toBe(404);
  expect((await app.asTeam('GET', `/api/v1/tickets/${app.ulid}`)).json.data.category).toBeNull();
  expect((await app.asSite('GET', '/api/v1/public/config')).text).not.toContain(`"${category.slug}"`);
  // Its name is free again.
  expect((await app.asTeam('POST', path, { name: category.name, slug: category.slug })).status).toBe(201);
  expect(app.count('tickets WHERE category_id = 1')).toBe(351);
  await detachRest(app.desk);
  expect(app.count('tickets WHERE category_id IS NOT NULL')).toBe(0);
  expect(app.count('categories WHERE id = 1')).toBe(0);
  expect(app.desk.read((tx) => hasDetachments(tx))).toBe(false);
  await app.close();
});

test('an agent of many tickets is gone with the answer, and his address is free', async () => {
  const app = await manyTickets({ assignee_id: 1 });
  expect(app.agentId).toBe(1);
  const ctx = app.desk.context({ kind: 'command_line' }, 'test');
  const agent = app.desk.read((tx) => findAgent(tx, ctx, '1'));
  await app.desk.write((tx) => {
    removeAgent(tx, ctx, 1);
    return null;
  });
  expect(() => app.desk.read((tx) => void findAgent(tx, ctx, '1'))).toThrow('No such agent');
  expect(app.desk.read((tx) => listAllAgents(tx, ctx)).map(({ id }) => id)).not.toContain(1);
  expect(app.desk.read((tx) => listAssignableAgents(tx, ctx, app.site.slug)).map(({ id }) => id)).not.toContain(1);
  expect((await app.asTeam('GET', `/api/v1/tickets/${app.ulid}`)).json.data.assignee).toBeNull();
  const again = await app.desk.write((tx) =>
    addAgent(tx, ctx, { name: agent.name, email: agent.email, role: agent.role }),
  );
  expect(again.id).not.toBe(1);
  await detachRest(app.desk);
  expect(app.count('tickets WHERE assignee_id IS NOT NULL')).toBe(0);
  expect(app.count('agents WHERE id = 1')).toBe(0);
  await app.close();
});

test('what few rows name goes in the step itself', async () => {
  const app = await testApp();
  await app.open();
  await app.asTeam('DELETE', `/api/v1/sites/${app.site.slug}/categories/1`);
  expect(app.desk.read((tx) => hasDetachments(tx))).toBe(false);
  expect(app.desk.read((tx) => query(tx, 'SELECT 1 FROM categories WHERE id = 1').get())).toBeNull();
  await app.close();
});

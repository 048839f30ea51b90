// Notes that their writers changed or deleted, when their site moves.

import { expect, test } from 'bun:test';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeNote, deleteNote } from '../../../src/desk/tickets/note-changes.ts';
import { addNote } from '../../../src/desk/tickets/replies.ts';
import type { AgentActor } from '../../../src/domain/actor.ts';
import { query } from '../../../src/engine/database.ts';
import { minute } from '../../desk/workbench.ts';
import { emptyDesk, portable } from './portable.ts';

test('a changed note keeps when it was changed, and of a deleted one only the line in the history comes along', async () => {
  const desk = portable();
  const { ticket } = desk.open();
  const { id } = desk.do((tx, ctx) => addAgent(tx, ctx, { name: 'Kim', email: 'kim@agents.example', role: 'viewer' }));
  const kim: AgentActor = {
    kind: 'agent',
    agentId: id,
    name: 'Kim',
    role: 'viewer',
    abilities: ['read', 'note'],
    scope: 'all',
    sessionId: 1,
  };
  const write = (body: string) => desk.do((tx, ctx) => addNote(tx, ctx, ticket.ulid, { body }), kim).message.ulid;
  const [kept, gone] = [write('First'), write('A walrus')];
  desk.clock.advance(minute);
  const editedAt = desk.clock.now();
  desk.do((tx, ctx) => changeNote(tx, ctx, ticket.ulid, kept, { body: 'Second', html: null }), kim);
  desk.do((tx, ctx) => deleteNote(tx, ctx, ticket.ulid, gone), kim);
  const text = await desk.exported();
  expect(text).not.toContain('walrus');
  const to = emptyDesk();
  await to.imported(text);
  const notes = query(to.tx, 'SELECT body, edited_at AS editedAt FROM messages WHERE is_internal = 1').all();
  expect(notes).toEqual([{ body: 'Second', editedAt }]);
  const told = query(
    to.tx,
    `SELECT kind, json_extract(data, '$.message_ulid') AS ulid FROM events WHERE kind LIKE 'ticket.note%' ORDER BY seq`,
  ).all();
  expect(told).toEqual([
    { kind: 'ticket.note_added', ulid: kept },
    { kind: 'ticket.note_added', ulid: null },
    { kind: 'ticket.note_changed', ulid: kept },
    { kind: 'ticket.note_deleted', ulid: null },
  ]);
});

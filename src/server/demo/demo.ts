// Demo data: three sites, their agents and four weeks of tickets, written with the same verbs as real data.

import type { Context } from '../../desk/context.ts';
import type { Desk } from '../../desk/desk.ts';
import { addAgent } from '../../desk/people/agents.ts';
import { issueToken } from '../../desk/people/tokens.ts';
import type { Actor } from '../../domain/actor.ts';
import { dayMs } from '../../domain/instant.ts';
import { discardOutbox } from '../../store/outbox/outbox.ts';
import { actingAs, addTicket } from './add-ticket.ts';
import { addAgentData } from './agent-data.ts';
import { ownerEmail } from './owner.ts';
import type { SampleSite } from './sample.ts';
import samples from './sites.json' with { type: 'json' };
import { addSite } from './sites.ts';

const team = [
  { name: 'Noor Visser', email: ownerEmail, role: 'owner' },
  { name: 'Ben Adler', email: 'ben@demo-shop.example', role: 'admin' },
  { name: 'Kim Sato', email: 'kim@demo-shop.example', role: 'member' },
  { name: 'Ana Duarte', email: 'ana@demo-shop.example', role: 'member' },
  { name: 'Idris Bello', email: 'idris@demo-shop.example', role: 'member' },
] as const;

/** Who takes which ticket: the owner, whose inbox opens first, takes most. */
const shifts = [0, 1, 0, 2, 3, 0, 4];

const ticketCount = 200;
const periodMs = 28 * dayMs;

/** Fills an empty desk. The tickets are the same each time; their times are relative to now. */
export async function fillDemo(desk: Desk): Promise<{ siteToken: string; teamToken: string; tickets: number }> {
  const now = desk.now();
  const at = (moment: number, actor: Actor): Context => ({ ...desk.context(actor, 'demo'), now: moment });
  const commandLine: Actor = { kind: 'command_line' };
  return await desk.write((tx) => {
    const begun = now - periodMs;
    const setUp = at(begun, commandLine);
    const sites = (samples as unknown as SampleSite[]).map((sample) => addSite(tx, setUp, sample));
    const agents = team.map((person) => addAgent(tx, setUp, person));
    const ids: number[] = [];
    for (let index = 0; index < ticketCount; index += 1) {
      const added = sites[index % sites.length];
      if (added === undefined) continue;
      // More of the tickets are recent: what is in the inbox is what came last.
      const age = 1 - (index + 1) / (ticketCount + 1);
      const openedAt = Math.round(now - periodMs * age ** 1.4);
      const assignee = agents[shifts[index % shifts.length] ?? 0];
      if (!assignee) continue;
      const number = Math.floor(index / sites.length);
      ids.push(addTicket(tx, at, { added, number, openedAt, now, assignee, team: agents }));
    }
    const [owner] = agents;
    if (owner) addAgentData(tx, at(now, actingAs(owner)), actingAs(owner), ids);
    const token = { name: 'demo', abilities: ['read' as const, 'write' as const, 'manage' as const] };
    const { secret } = issueToken(tx, at(now, commandLine), token);
    discardOutbox(tx);
    return { siteToken: sites[0]?.siteToken ?? '', teamToken: secret, tickets: ticketCount };
  });
}

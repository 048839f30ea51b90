// People in a test who can sign in: passwords, links, and what a browser keeps of an answer.

import { findAgent } from '../../src/desk/people/agents.ts';
import { inviteAgent, linkAgent, renewSetupLink } from '../../src/desk/people/sign-in-links.ts';
import type { Role } from '../../src/domain/actor.ts';
import { hashPassword } from '../../src/identity/passwords.ts';
import { updateAgent } from '../../src/store/people/agents.ts';
import type { Answered, TestApp } from './app.ts';

export const goodPassword = 'plum tree 47 lantern';
const hashed = hashPassword(goodPassword);

/** Gives an agent a password that the test knows. */
async function givePassword(app: TestApp, agentId: number): Promise<string> {
  const passwordHash = await hashed;
  return await app.desk.write((tx) => {
    updateAgent(tx, agentId, { passwordHash });
    return findAgent(tx, asCommandLine(app), String(agentId)).email;
  });
}

export async function withPassword(app: TestApp, role: Role, siteIds: number[] = []) {
  const person = await app.person(role, siteIds);
  return { ...person, email: await givePassword(app, person.agentId) };
}

export const asCommandLine = (app: TestApp) => app.desk.context({ kind: 'command_line' }, 'test');

export function linkOf(app: TestApp, purpose: 'invitation' | 'sign_in', agentId: number): Promise<string> {
  return app.desk.write((tx) => {
    const agent = findAgent(tx, asCommandLine(app), String(agentId));
    return purpose === 'sign_in'
      ? linkAgent(tx, asCommandLine(app), agent)
      : inviteAgent(tx, asCommandLine(app), agent, false);
  });
}

/** On a desk whose owners cannot sign in. */
export function setupLink(app: TestApp): Promise<string> {
  return app.desk.write((tx) => {
    tx.client.run("UPDATE agents SET password_hash = NULL WHERE role = 'owner'");
    return renewSetupLink(tx, asCommandLine(app)) ?? '';
  });
}

/** The secret in the newest mail of a kind. */
export function mailedSecret(app: TestApp, event: string): string {
  const { seal, store } = app.desk;
  const row = store.reading.client
    .query<{ sealed: string }, [string]>(
      "SELECT payload ->> '$.link_sealed' AS sealed FROM deliveries WHERE event = ? ORDER BY id DESC LIMIT 1",
    )
    .get(event);
  return row === null ? '' : seal.open(row.sealed);
}

/** What a browser sends after this answer. */
export function browserAfter(answer: Answered): Record<string, string> {
  const [cookie = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';');
  return { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
}

/** Every cookie of this answer, as a program would send them. */
export function cookiesAfter(answer: Answered): { Cookie: string } {
  return {
    Cookie: answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  };
}

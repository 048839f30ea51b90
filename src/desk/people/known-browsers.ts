// Browsers in which an agent has signed in: strangers who guess the password cannot keep them out (docs/spec/people.md#guessing).

import { isSameSecret, randomSecret, type Seal } from '../../base/crypto.ts';
import { notFound } from '../../domain/errors.ts';
import type { Tx } from '../../engine/database.ts';
import { type Agent, agentById } from '../../store/people/agents.ts';

export interface KnownBrowser {
  agentId: number;
  name: string;
}

// It ends with the password: someone who knew only the former one is a stranger.
function signatureOf(seal: Seal, { id, passwordHash }: Pick<Agent, 'id' | 'passwordHash'>, name: string): string {
  return seal.sign('known-browser', `${id} ${name} ${passwordHash ?? ''}`);
}

export function knownBrowserSecret(tx: Tx, seal: Seal, agentId: number): string {
  const agent = agentById(tx, agentId);
  if (!agent) throw notFound('agent');
  const name = randomSecret('hdb');
  return `${agentId}.${name}.${signatureOf(seal, agent, name)}`;
}

export function knownBrowserBySecret(tx: Tx, seal: Seal, secret: string): KnownBrowser | null {
  const [, id, name, signature = ''] = /^(\d{1,15})\.(hdb_[\w-]{43})\.([\w-]{43})$/.exec(secret) ?? [];
  if (id === undefined || name === undefined) return null;
  const agent = agentById(tx, Number(id));
  return agent && isSameSecret(signatureOf(seal, agent, name), signature) ? { agentId: agent.id, name } : null;
}

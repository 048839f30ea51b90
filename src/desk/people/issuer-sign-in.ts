// Signing in with an account at the organisation's issuer (docs/spec/people.md#openid-connect).

import type { Role } from '../../domain/actor.ts';
import { mostAgents } from '../../domain/sites/limits.ts';
import type { Tx } from '../../engine/database.ts';
import {
  type Agent,
  agentByEmail,
  agentById,
  agentBySubject,
  countAgents,
  countOtherOwners,
  insertAgent,
  updateAgent,
} from '../../store/people/agents.ts';
import { deleteSignInLinks } from '../../store/people/sign-in-links.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { startSession } from './sessions.ts';
import { type Arrival, type Entered, enter } from './sign-in.ts';
import { forgetFailures } from './sign-in-delays.ts';

/** What the issuer says about a person. */
interface IssuerAccount {
  issuer: string;
  subject: string;
  /** Verified by the issuer. */
  email: string;
  name: string | null;
  /** Null where the desk does not ask for roles. */
  role: Role | null;
  hasSecondFactor: boolean;
}

type IssuerProblem = 'unknown_agent' | 'inactive_agent' | 'other_account';

/** @param domains whose users become members; a problem is an answer too, so that it is audited */
export function signInWithIssuer(
  tx: Tx,
  ctx: Context,
  account: IssuerAccount,
  domains: readonly string[],
  arrival: Arrival,
): Entered | { kind: 'refused'; problem: IssuerProblem } {
  const found = findAgent(tx, ctx, account, domains);
  if (typeof found === 'string' || !found.isActive) {
    const problem = typeof found === 'string' ? found : 'inactive_agent';
    const agent = typeof found === 'string' ? null : found;
    const target = { type: 'agent', id: agent?.id ?? null, name: agent?.name ?? null } as const;
    audit(tx, ctx, { action: 'session.refused', target, after: { method: 'oidc', reason: problem } });
    return { kind: 'refused', problem };
  }
  const agent = withRole(tx, ctx, found, account.role);
  if (!account.hasSecondFactor) return enter(tx, ctx, agent, 'oidc', arrival);
  forgetFailures(tx, ctx, agent.email, arrival.guesser);
  return {
    kind: 'started',
    started: startSession(tx, ctx, agent, { method: 'oidc', hasSecondFactor: true, ...arrival }),
  };
}

function findAgent(tx: Tx, ctx: Context, account: IssuerAccount, domains: readonly string[]): Agent | IssuerProblem {
  const { issuer, subject, email } = account;
  const known = agentBySubject(tx, issuer, subject);
  if (known) return known;
  const named = agentByEmail(tx, email);
  const agent = named ?? newMember(tx, ctx, account, domains);
  if (agent === null) return 'unknown_agent';
  // An account at an issuer that the desk no longer uses is not an account.
  if (agent.oidcSubject !== null && agent.oidcIssuer === issuer) return 'other_account';
  if (!agent.isActive) return agent;
  updateAgent(tx, agent.id, { oidcIssuer: issuer, oidcSubject: subject });
  deleteSignInLinks(tx, 'invitation', agent.id);
  audit(tx, ctx, { ...byDesk, action: 'agent.updated', target: targetOf(agent), after: { method: 'oidc' } });
  return agentById(tx, agent.id) ?? 'unknown_agent';
}

function newMember(tx: Tx, ctx: Context, { email, name }: IssuerAccount, domains: readonly string[]): Agent | null {
  const [local = '', domain = ''] = email.split(/@(?=[^@]*$)/);
  if (!domains.includes(domain) || countAgents(tx) >= mostAgents) return null;
  const id = insertAgent(tx, { email, name: name ?? local, role: 'member', isActive: true, createdAt: ctx.now });
  const agent = agentById(tx, id) ?? null;
  if (agent !== null) audit(tx, ctx, { ...byDesk, action: 'agent.created', target: targetOf(agent), after: agent });
  return agent;
}

/** The last owner who can sign in stays owner. */
function withRole(tx: Tx, ctx: Context, agent: Agent, role: Role | null): Agent {
  if (role === null || role === agent.role) return agent;
  if (agent.role === 'owner' && countOtherOwners(tx, agent.id) === 0) return agent;
  updateAgent(tx, agent.id, { role });
  audit(tx, ctx, { ...byDesk, action: 'agent.updated', target: targetOf(agent), before: agent, after: { role } });
  return { ...agent, role };
}

const byDesk = { actor: { kind: 'desk' } } as const;
const targetOf = ({ id, name }: Agent) => ({ type: 'agent', id, name }) as const;

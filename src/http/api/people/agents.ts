// Agents as people who sign in: inviting, changing and removing them (docs/spec/people.md#agents).

import * as z from 'zod';
import { mailsOwn } from '../../../desk/outbox/own-server.ts';
import {
  type AgentAccount,
  agentEtag,
  changeAgent,
  listAllAgents,
  readAgent,
  removeAgent,
  resetSecondFactor,
} from '../../../desk/people/agents.ts';
import { changeAvailability } from '../../../desk/people/availability.ts';
import { addInvited, inviteAgain } from '../../../desk/people/invitations.ts';
import { linkUrl } from '../../../desk/people/sign-in-links.ts';
import { agentChangeInput, availabilityInput, newAgentInput } from '../../../domain/input/people.ts';
import type { Tx } from '../../../engine/database.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { agentAccountShape, agentShape, presentAccount, presentAgent } from '../../wire/people/people.ts';
import { pagingQuery } from '../../wire/queries.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { taggedReply } from '../../write-only-answer.ts';
import { shortListReply, wholeOrPage } from '../lists.ts';
import { idOf } from '../parameters.ts';

const managing = { tag: 'Agents', access: 'team', ability: 'manage' } as const;
const managingInSession = { tag: 'Agents', access: 'session', ability: 'manage', needsConfirmation: true } as const;

const agentId = (call: Call) => idOf(call, 'agent');
const onlyThoseManaged = 'Owners manage everyone. Admins manage members and viewers whose sites are all theirs.';

const tagged = (call: Call, agent: AgentAccount) =>
  taggedReply(call, 200, { data: presentAccount(agent, call.ctx.now) }, agentEtag(agent));

const invitedShape = z.object({ data: agentAccountShape, invitation_url: z.string().nullable() });
const invitationUrl =
  'The link goes to the agent by mail. Without a mail server it is in invitation_url, for you to pass on; otherwise that is null.';

type Invited = { agent: AgentAccount; secret: string | null };

function invited(tx: Tx, call: Call, invite: (isMailed: boolean) => Invited) {
  const isMailed = mailsOwn(tx, call.ctx);
  const { agent, secret } = invite(isMailed);
  const url = secret === null || isMailed ? null : linkUrl(call.edge.baseUrl, 'invitation', secret);
  return jsonReply(201, { data: presentAccount(agent, call.ctx.now), invitation_url: url });
}

export const agentOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/agents',
    id: 'listAgents',
    ...managing,
    summary: 'List agents',
    description: 'The agents who share a site with you. Of their sites you see only yours.',
    query: pagingQuery,
    answer: answered(200, wholeOrPage, shapes.page(agentAccountShape)),
    read: (tx, call) =>
      shortListReply(call, listAllAgents(tx, call.ctx), (agent) => presentAccount(agent, call.ctx.now)),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/agents',
    id: 'createAgent',
    ...managingInSession,
    summary: 'Add an agent and invite them',
    description: `${onlyThoseManaged} ${invitationUrl} With invite false no invitation is made.`,
    body: newAgentInput,
    answer: answered(201, 'The agent', invitedShape),
    errors: [403, 409],
    write: (tx, call) => invited(tx, call, (isMailed) => addInvited(tx, call.ctx, call.body, isMailed)),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/agents/{id}',
    id: 'readAgent',
    ...managing,
    summary: 'Read an agent',
    hasEtag: true,
    answer: answered(200, 'The agent', shapes.one(agentAccountShape)),
    errors: [404],
    read: (tx, call) => tagged(call, readAgent(tx, call.ctx, agentId(call))),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/agents/{id}',
    id: 'updateAgent',
    ...managingInSession,
    summary: 'Update an agent',
    description: `${onlyThoseManaged} is_active false ends the agent's sessions at once. The last active owner who can sign in keeps role and access.`,
    hasEtag: true,
    body: agentChangeInput,
    answer: answered(200, 'The updated agent', shapes.one(agentAccountShape)),
    errors: [403, 404, 409, 412],
    write: (tx, call) => tagged(call, changeAgent(tx, call.ctx, agentId(call), call.body, call.ifMatch)),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/agents/{id}/availability',
    id: 'updateAvailability',
    tag: 'Agents',
    access: 'session',
    ability: 'manage',
    summary: 'Say whether an agent is there',
    description: onlyThoseManaged,
    body: availabilityInput,
    answer: answered(200, 'The agent', shapes.one(agentShape)),
    errors: [403, 404],
    write: (tx, call) =>
      jsonReply(200, { data: presentAgent(changeAvailability(tx, call.ctx, agentId(call), call.body), call.ctx.now) }),
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/agents/{id}',
    id: 'deleteAgent',
    ...managingInSession,
    summary: 'Remove an agent',
    description: 'Their tickets become unassigned, a few at a time. What they wrote keeps their name.',
    answer: answered(204, 'Removed', null),
    errors: [403, 404, 409],
    write(tx, call) {
      removeAgent(tx, call.ctx, agentId(call));
      return emptyReply(204);
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/agents/{id}/invitation',
    id: 'inviteAgent',
    ...managingInSession,
    summary: 'Invite an agent again',
    description: `Earlier invitations end. ${invitationUrl} Only owners can invite someone who has joined.`,
    answer: answered(201, 'The agent', invitedShape),
    errors: [403, 404, 409],
    write: (tx, call) => invited(tx, call, (isMailed) => inviteAgain(tx, call.ctx, agentId(call), isMailed)),
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/agents/{id}/second-factor',
    id: 'resetSecondFactor',
    ...managingInSession,
    summary: "Remove an agent's second factors",
    description:
      'For an agent who lost them. Removes the authenticator app, passkeys and recovery codes, and ends the sessions of the agent.',
    answer: answered(204, 'Removed', null),
    errors: [403, 404, 409],
    write(tx, call) {
      resetSecondFactor(tx, call.ctx, agentId(call));
      return emptyReply(204);
    },
  }),
];

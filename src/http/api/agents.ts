// Agents as people who sign in: inviting, changing and removing them (docs/spec/people.md#agents).

import * as z from 'zod';
import { addInvited, inviteAgain } from '../../desk/people/invitations.ts';
import {
  type AgentAccount,
  changeAgent,
  listAllAgents,
  readAgent,
  removeAgent,
  resetSecondFactor,
} from '../../desk/people/people.ts';
import { linkUrl } from '../../desk/people/sign-in-links.ts';
import { agentChangeInput, newAgentInput } from '../../domain/input/people.ts';
import { type Call, type Operation, operation } from '../operation.ts';
import { agentAccountShape, presentAccount } from '../wire/people.ts';
import { pagingQuery } from '../wire/queries.ts';
import { emptyReply, jsonReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { shortListReply, wholeOrPage } from './lists.ts';
import { idOf } from './parameters.ts';

const agentId = (call: Call) => idOf(call, 'agent');
const onlyThoseManaged = 'Owners manage everyone. Admins manage members and viewers whose sites are all theirs.';

const invitedShape = z.object({ data: agentAccountShape, invitation_url: z.string().nullable() });
const invitationUrl =
  'The link goes to the agent by mail. Without a mail server it is in invitation_url, for you to pass on; otherwise that is null.';

function invited(call: Call, { agent, secret }: { agent: AgentAccount; secret: string | null }) {
  const { baseUrl, sendsMail } = call.edge;
  const url = secret === null || sendsMail ? null : linkUrl(baseUrl, 'invitation', secret);
  return jsonReply(201, { data: presentAccount(agent), invitation_url: url });
}

export const agentOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/agents',
    id: 'listAgents',
    tag: 'Agents',
    summary: 'List agents',
    description: 'The agents who share a site with you. Of their sites you see only yours.',
    access: 'team',
    ability: 'manage',
    query: pagingQuery,
    answer: { status: 200, description: wholeOrPage, schema: shapes.page(agentAccountShape) },
    handle: (call) => call.edge.desk.read((tx) => shortListReply(call, listAllAgents(tx, call.ctx), presentAccount)),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/agents',
    id: 'createAgent',
    tag: 'Agents',
    summary: 'Add an agent and invite them',
    description: `${onlyThoseManaged} ${invitationUrl} With invite false no invitation is made.`,
    access: 'session',
    ability: 'manage',
    needsConfirmation: true,
    body: newAgentInput,
    answer: { status: 201, description: 'The agent', schema: invitedShape },
    errors: [403, 409],
    handle: (call) => call.commit((tx) => invited(call, addInvited(tx, call.ctx, call.body, call.edge.sendsMail))),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/agents/{id}',
    id: 'readAgent',
    tag: 'Agents',
    summary: 'Read an agent',
    access: 'team',
    ability: 'manage',
    answer: { status: 200, description: 'The agent', schema: shapes.one(agentAccountShape) },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) => jsonReply(200, { data: presentAccount(readAgent(tx, call.ctx, agentId(call))) })),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/agents/{id}',
    id: 'updateAgent',
    tag: 'Agents',
    summary: 'Update an agent',
    description: `${onlyThoseManaged} is_active false ends the agent's sessions at once. The last active owner who can sign in keeps role and access.`,
    access: 'session',
    ability: 'manage',
    needsConfirmation: true,
    body: agentChangeInput,
    answer: { status: 200, description: 'The updated agent', schema: shapes.one(agentAccountShape) },
    errors: [403, 404, 409],
    handle: (call) =>
      call.commit((tx) =>
        jsonReply(200, { data: presentAccount(changeAgent(tx, call.ctx, agentId(call), call.body)) }),
      ),
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/agents/{id}',
    id: 'deleteAgent',
    tag: 'Agents',
    summary: 'Remove an agent',
    description: 'Their tickets become unassigned, a few at a time. What they wrote keeps their name.',
    access: 'session',
    ability: 'manage',
    needsConfirmation: true,
    answer: { status: 204, description: 'Removed', schema: null },
    errors: [403, 404, 409],
    handle: (call) =>
      call.commit((tx) => {
        removeAgent(tx, call.ctx, agentId(call));
        return emptyReply(204);
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/agents/{id}/invitation',
    id: 'inviteAgent',
    tag: 'Agents',
    summary: 'Invite an agent again',
    description: `Earlier invitations end. ${invitationUrl} Only owners can invite someone who has joined.`,
    access: 'session',
    ability: 'manage',
    needsConfirmation: true,
    answer: { status: 201, description: 'The agent', schema: invitedShape },
    errors: [403, 404, 409],
    handle: (call) => call.commit((tx) => invited(call, inviteAgain(tx, call.ctx, agentId(call), call.edge.sendsMail))),
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/agents/{id}/second-factor',
    id: 'resetSecondFactor',
    tag: 'Agents',
    summary: "Remove an agent's second factors",
    description:
      'For an agent who lost them. Removes the authenticator app, passkeys and recovery codes, and ends the sessions of the agent.',
    access: 'session',
    ability: 'manage',
    needsConfirmation: true,
    answer: { status: 204, description: 'Removed', schema: null },
    errors: [403, 404, 409],
    handle: (call) =>
      call.commit((tx) => {
        resetSecondFactor(tx, call.ctx, agentId(call));
        return emptyReply(204);
      }),
  }),
];

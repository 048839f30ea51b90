// The agent surface: teams (docs/spec/people.md#teams).

import * as z from 'zod';
import { addTeam, changeTeam, findTeam, listTeams, removeTeam, teamEtag } from '../../../desk/people/teams.ts';
import { teamChangeInput, teamInput } from '../../../domain/input/teams.ts';
import type { Team } from '../../../store/people/teams.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { presentTeam, teamShape } from '../../wire/people/people.ts';
import * as query from '../../wire/queries.ts';
import { emptyReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { taggedReply, visible } from '../../write-only-answer.ts';
import { shortListReply, wholeOrPage } from '../lists.ts';
import { idOf } from '../parameters.ts';

const reading = { tag: 'Teams', access: 'team', ability: 'read' } as const;
const managing = { tag: 'Teams', access: 'team', ability: 'manage' } as const;
const allItsSites =
  'A team of every site needs a caller who sees all sites; another one a caller who sees all of its sites.';

const teamId = (call: Call) => idOf(call, 'team');

const teamReply = (call: Call, status: number, team: Team) =>
  taggedReply(call, status, { data: visible(call, presentTeam(team)) }, teamEtag(team));

export const teamOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/teams',
    id: 'listTeams',
    ...reading,
    summary: 'List teams',
    description: 'With site_id, those that tickets of the site can have.',
    query: z.object({ site_id: query.site().optional(), ...query.paging }),
    answer: answered(200, wholeOrPage, shapes.page(teamShape)),
    errors: [404],
    read: (tx, call) => shortListReply(call, listTeams(tx, call.ctx, call.query.site_id ?? null), presentTeam),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/teams',
    id: 'createTeam',
    ...managing,
    summary: 'Add a team',
    description: allItsSites,
    isShortWithoutRead: true,
    body: teamInput,
    answer: answered(201, 'The team', shapes.one(teamShape)),
    errors: [403, 409],
    write: (tx, call) => teamReply(call, 201, addTeam(tx, call.ctx, call.body)),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/teams/{id}',
    id: 'readTeam',
    ...reading,
    summary: 'Read a team',
    hasEtag: true,
    answer: answered(200, 'The team', shapes.one(teamShape)),
    errors: [404],
    read: (tx, call) => teamReply(call, 200, findTeam(tx, call.ctx, teamId(call))),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/teams/{id}',
    id: 'updateTeam',
    ...managing,
    summary: 'Update a team',
    description: `members and sites replace the whole list. ${allItsSites}`,
    isShortWithoutRead: true,
    hasEtag: true,
    body: teamChangeInput,
    answer: answered(200, 'The updated team', shapes.one(teamShape)),
    errors: [403, 404, 409, 412],
    write: (tx, call) => teamReply(call, 200, changeTeam(tx, call.ctx, teamId(call), call.body, call.ifMatch)),
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/teams/{id}',
    id: 'deleteTeam',
    ...managing,
    summary: 'Remove a team',
    description: 'Its tickets are left without a team, a few at a time.',
    hasEtag: true,
    answer: answered(204, 'Removed', null),
    errors: [403, 404, 412],
    write(tx, call) {
      removeTeam(tx, call.ctx, teamId(call), call.ifMatch);
      return emptyReply(204);
    },
  }),
];

// The agent surface: teams (docs/spec/people.md#teams).

import * as z from 'zod';
import { addTeam, changeTeam, findTeam, listTeams, removeTeam, teamEtag } from '../../../desk/people/teams.ts';
import { teamChangeInput, teamInput } from '../../../domain/input/teams.ts';
import type { Operation } from '../../operation.ts';
import { presentTeam, teamShape } from '../../wire/people/people.ts';
import * as query from '../../wire/queries.ts';
import { nounOperations } from '../noun.ts';

const allItsSites =
  'A team of every site needs a caller who sees all sites; another one a caller who sees all of its sites.';

export const teamOperations: readonly Operation[] = nounOperations({
  path: 'teams',
  tag: 'Teams',
  noun: 'team',
  one: 'Team',
  many: 'Teams',
  ability: 'manage',
  told: {
    list: 'With site_id, those that tickets of the site can have.',
    create: allItsSites,
    update: `members and sites replace the whole list. ${allItsSites}`,
    remove: 'Its tickets are left without a team, a few at a time.',
  },
  errors: { create: [403, 409], update: [403, 404, 409, 412], remove: [403, 404, 412] },
  verb: 'Remove',
  query: z.object({ site_id: query.site().optional(), ...query.paging }),
  input: teamInput,
  change: teamChangeInput,
  shape: teamShape,
  etag: teamEtag,
  present: presentTeam,
  list: (tx, call) => listTeams(tx, call.ctx, call.query.site_id ?? null),
  read: (tx, call, id) => findTeam(tx, call.ctx, id),
  add: (tx, call) => addTeam(tx, call.ctx, call.body),
  update: (tx, call, id) => changeTeam(tx, call.ctx, id, call.body, call.ifMatch),
  remove: (tx, call, id) => removeTeam(tx, call.ctx, id, call.ifMatch),
});

// The agent surface: teams (docs/spec/people.md#teams).

import { teams } from '../../../desk/people/teams.ts';
import { teamChangeInput, teamInput } from '../../../domain/input/teams.ts';
import type { Operation } from '../../operation.ts';
import { presentTeam, teamShape } from '../../wire/people/people.ts';
import { nounOperations, sharedVerbs } from '../noun.ts';

const allItsSites =
  'A team of every site needs a caller who sees all sites; another one a caller who sees all of its sites.';

export const teamOperations: readonly Operation[] = nounOperations({
  ...sharedVerbs(teams),
  path: 'teams',
  tag: 'Teams',
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
  input: teamInput,
  change: teamChangeInput,
  shape: teamShape,
  present: presentTeam,
});

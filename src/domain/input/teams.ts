// Input of the verbs on teams, in the wire's names.

import * as z from 'zod';
import { mostInTeam } from '../sites/limits.ts';
import { line, loosely, resourceId } from './fields.ts';

const name = line(100).meta({ examples: ['Second level'] });
const settings = {
  members: z
    .array(resourceId())
    .max(mostInTeam)
    .meta({ description: 'Ids of agents.', examples: [[]] }),
  sites: z
    .array(resourceId())
    .max(1000)
    .meta({ description: 'Empty for every site.', examples: [[]] }),
  returns_when_away: z.boolean().meta({
    description: "A customer's message takes a ticket back from an assignee who is away.",
    examples: [false],
  }),
};
const waitMinutes = z
  .int()
  .min(1)
  .max(10_080)
  .nullish()
  .meta({
    description: 'After so many minutes the team hears of an open ticket that no one has. null: never.',
    examples: [30],
  });
const maxOpen = z.int().min(1).max(1000).nullish().meta({
  description: 'Who has so many open tickets gets no more by automatic assignment. null: no limit.',
});

export const teamInput = z.object({
  name,
  ...loosely(settings),
  max_open_per_agent: maxOpen,
  wait_minutes: waitMinutes,
});
export type TeamInput = z.output<typeof teamInput>;

export const teamChangeInput = z
  .object({ name, ...settings, max_open_per_agent: maxOpen, wait_minutes: waitMinutes })
  .partial();
export type TeamChangeInput = z.output<typeof teamChangeInput>;

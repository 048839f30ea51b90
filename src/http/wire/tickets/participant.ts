// People who take part in a ticket, on the wire (docs/spec/conversations.md#participants).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { ShownParticipant } from '../../../desk/tickets/participants.ts';
import { storedActorTypes } from '../../../domain/actor.ts';
import { presenter } from '../presenter.ts';
import { id, maybeTime, named, time } from '../shapes.ts';

export const participantShape = named(
  'Participant',
  z.object({
    id: id(),
    email: z.string(),
    name: z.string().nullable(),
    added_by: z
      .object({ type: z.enum(storedActorTypes), id: id().nullable(), name: z.string().nullable() })
      .meta({ description: 'mail: a mail named them.' }),
    added_at: time(),
    removed_at: maybeTime(),
    is_agent: z.boolean().meta({
      description: 'They see the site as an agent by now. As long as they do, they count as removed.',
    }),
    paused_at: maybeTime().meta({ description: 'Since when mail to them comes back. They get none until they write.' }),
  }),
);

export const presentParticipant = presenter(participantShape, ({ person, createdAt, absence }: ShownParticipant) => ({
  email: person.email,
  name: person.name,
  added_at: toWire(createdAt),
  is_agent: absence === 'agent',
}));

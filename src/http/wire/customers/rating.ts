// What a customer said of the help, as they see it (docs/spec/customer.md#satisfaction).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import { dayMs } from '../../../domain/instant.ts';
import { ratings, satisfactionLimits } from '../../../domain/tickets/satisfaction.ts';
import type { Ticket } from '../../../store/tickets/tickets.ts';
import { named, time } from '../shapes.ts';

export const givenRatingShape = named(
  'GivenRating',
  z.object({ rating: z.enum(ratings), comment: z.string().nullable(), at: time(), changeable_until: time() }),
);

/** Null before there is one. */
export function presentGivenRating({ satisfaction: rating, satisfactionComment: comment, satisfactionAt: at }: Ticket) {
  if (rating === null || at === null) return null;
  return { rating, comment, at: toWire(at), changeable_until: toWire(at + satisfactionLimits.changeableDays * dayMs) };
}

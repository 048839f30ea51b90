// What the operations of a customer's page have in common.

import * as z from 'zod';
import type { Context } from '../../../desk/context.ts';
import { requireMayWrite } from '../../../desk/customers/proofs.ts';
import { actorOf, requireVisit, type Visit } from '../../../desk/customers/visits.ts';
import type { Tx } from '../../../engine/database.ts';
import type { Author } from '../../../store/customers/authors.ts';
import { proofSecretIn } from '../../credentials/customer-cookie.ts';
import type { Call } from '../../operation.ts';

export const tag = 'Customers’ pages';

export const visitQuery = z.object({
  ticket: z.string().max(64).optional().meta({
    description: 'The ulid in the address of the page. Without it, the ticket whose link was opened last.',
  }),
});

export const proofOf = ({ edge, header }: Pick<Call, 'edge' | 'header'>) =>
  proofSecretIn(edge.baseUrl, header('cookie'));

export function visitOf({ visit }: Call): Visit {
  if (!visit) throw new Error('a customer’s operation ran without a visit');
  return visit;
}

interface Writing {
  visit: Visit;
  speaker: Author;
  isConfirmed: boolean;
  ctx: Context;
}

/** The visit as it is now, and who writes; 401 and 403 as in docs/spec/customer.md#confirmation. */
export function enterToWrite(tx: Tx, call: Call): Writing {
  const visit = requireVisit(tx, call.ctx, visitOf(call));
  const by = requireMayWrite(tx, call.ctx, proofOf(call), visit);
  return { visit, ...by, ctx: { ...call.ctx, actor: actorOf(by.speaker) } };
}

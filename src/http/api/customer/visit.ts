// What the operations of a customer's page have in common.

import * as z from 'zod';
import { requireMayWrite } from '../../../desk/customer/proofs.ts';
import { requireVisit, type Visit } from '../../../desk/customer/visits.ts';
import type { Tx } from '../../../store/database.ts';
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

/** The visit as it is now, and whether its address is confirmed; 401 and 403 as in docs/spec/customer.md#confirmation. */
export function enterToWrite(tx: Tx, call: Call): { visit: Visit; isConfirmed: boolean } {
  const visit = requireVisit(tx, call.ctx, visitOf(call));
  return { visit, isConfirmed: requireMayWrite(tx, call.ctx, proofOf(call), visit) };
}

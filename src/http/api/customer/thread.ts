// A ticket as the customer who opened its link sees it (docs/spec/customer.md#a-ticket-by-its-link).

import { isConfirmed } from '../../../desk/customer/proofs.ts';
import { newestVisit, requireVisit, type Visit } from '../../../desk/customer/visits.ts';
import type { Tx } from '../../../store/database.ts';
import { proofSecretIn, visitSecretsIn } from '../../credentials/customer-cookie.ts';
import { type Edge, type Operation, operation } from '../../operation.ts';
import { type CustomerThread, presentVisit, visitShape } from '../../wire/customer.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { proofOf, tag, visitOf, visitQuery } from './visit.ts';

function present(tx: Tx, edge: Edge, visit: Visit, proof: string | null): CustomerThread {
  const now = edge.desk.now();
  return presentVisit(tx, visit, isConfirmed(tx, edge.desk.seal, proof, visit, now), edge.links, now);
}

/** For the page that the desk renders: null unless the browser has opened a link to the ticket. */
export function readCustomerThread(edge: Edge, cookies: string | undefined, ulid: string): CustomerThread | null {
  const secret = visitSecretsIn(edge.baseUrl, cookies).get(ulid.toUpperCase());
  if (secret === undefined) return null;
  const { desk, baseUrl } = edge;
  return desk.read((tx) => {
    const visit = newestVisit(tx, desk.seal, [[ulid.toUpperCase(), secret]], desk.now());
    return visit ? present(tx, edge, visit, proofSecretIn(baseUrl, cookies)) : null;
  });
}

export const customerThreadOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/customer/ticket',
    id: 'readCustomerTicket',
    tag,
    summary: 'Read a ticket by the cookie of its link',
    access: 'visit',
    query: visitQuery,
    answer: { status: 200, description: 'The ticket as the customer sees it', schema: shapes.one(visitShape) },
    handle(call) {
      const { edge, ctx } = call;
      return edge.desk.read((tx) =>
        jsonReply(200, { data: present(tx, edge, requireVisit(tx, ctx, visitOf(call)), proofOf(call)) }),
      );
    },
  }),
];

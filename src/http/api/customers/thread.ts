// A ticket as the customer who opened its link sees it (docs/spec/customer.md#a-ticket-by-its-link).

import { siteOfTicket } from '../../../desk/access.ts';
import { provenSpeaker } from '../../../desk/customers/proofs.ts';
import { newestVisit, requireVisit } from '../../../desk/customers/visits.ts';
import { proofSecretIn, visitSecretsIn } from '../../credentials/customer-cookie.ts';
import { longAnswer } from '../../long-answer.ts';
import { answered, type Edge, type Operation, operation } from '../../operation.ts';
import { presentVisit, presentVisitPage, visitShape } from '../../wire/customers/customer.ts';
import { presentFileRules } from '../../wire/customers/portal.ts';
import * as shapes from '../../wire/shapes.ts';
import { proofOf, tag, visitOf, visitQuery } from './visit.ts';

/** For the page that the desk renders: null unless the browser has opened a link to the ticket. */
export function readCustomerPage(edge: Edge, cookies: string | undefined, ulid: string, before: string | null) {
  const secret = visitSecretsIn(edge.baseUrl, cookies).get(ulid.toUpperCase());
  if (secret === undefined) return null;
  const { desk, baseUrl, links } = edge;
  const now = desk.now();
  return desk.read((tx) => {
    const visit = newestVisit(tx, desk.seal, [[ulid.toUpperCase(), secret]], now);
    if (visit === undefined) return null;
    const speaker = provenSpeaker(tx, desk.seal, proofSecretIn(baseUrl, cookies), visit, now);
    const files = presentFileRules(siteOfTicket(tx, visit.thread));
    return { ...presentVisitPage(tx, visit, speaker, { links, now }, before), files };
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
    answer: answered(200, 'The ticket as the customer sees it', shapes.one(visitShape)),
    handle(call) {
      const { edge, ctx } = call;
      return longAnswer(call, (view) => {
        const visit = requireVisit(view.tx, ctx, visitOf(call));
        const speaker = provenSpeaker(view.tx, edge.desk.seal, proofOf(call), visit, ctx.now);
        return { data: () => presentVisit(view, visit, speaker, { links: edge.links, now: ctx.now }) };
      });
    },
  }),
];

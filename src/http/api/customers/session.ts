// A customer's browser forgets what it may read (docs/spec/customer.md#cookies).

import * as z from 'zod';
import { forgetBrowser } from '../../../desk/customers/forget.ts';
import { notFound } from '../../../domain/errors.ts';
import { siteBySlug } from '../../../store/sites/sites.ts';
import { withCookies } from '../../cookie-answer.ts';
import {
  endedListCookie,
  endedProofCookie,
  endedVisitCookie,
  listSecretsIn,
  visitSecretsIn,
} from '../../credentials/customer-cookie.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { emptyReply } from '../../wire/respond.ts';
import { proofOf, tag } from './visit.ts';

export const customerSessionOperations: readonly Operation[] = [
  operation({
    method: 'DELETE',
    path: '/api/v1/customer/session',
    id: 'forgetBrowser',
    tag,
    summary: 'Forget this browser',
    description: 'Ends its visits, its proofs of addresses and its lists of tickets, everywhere or on one site.',
    access: 'customer',
    body: z.object({ site: z.string().max(255).nullish().meta({ description: 'The slug of a site.' }) }),
    isBodyOptional: true,
    answer: answered(204, 'Forgotten, with cookies that have ended', null),
    errors: [404],
    async handle(call) {
      const { edge, ctx, body, header } = call;
      const { baseUrl } = edge;
      const secrets = {
        visits: visitSecretsIn(baseUrl, header('cookie')),
        lists: listSecretsIn(baseUrl, header('cookie')),
        proof: proofOf(call),
      };
      const { tickets, sites, hasProofsLeft } = await edge.desk.write((tx) => {
        const site = body.site == null ? null : siteBySlug(tx, body.site);
        if (site === undefined) throw notFound('site');
        return forgetBrowser(tx, ctx, secrets, site?.id ?? null);
      });
      return withCookies(emptyReply(204), [
        ...tickets.map((ulid) => endedVisitCookie(baseUrl, ulid)),
        ...sites.map((id) => endedListCookie(baseUrl, id)),
        ...(hasProofsLeft ? [] : [endedProofCookie(baseUrl)]),
      ]);
    },
  }),
];

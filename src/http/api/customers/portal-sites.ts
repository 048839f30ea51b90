// What a site's form needs, for everyone (docs/spec/customer.md#front-door).

import { portalSite } from '../../../desk/customers/portal.ts';
import { notFound } from '../../../domain/errors.ts';
import { answered, type Edge, type Operation, operation } from '../../operation.ts';
import { type Portal, portalShape, presentPortal } from '../../wire/customers/portal.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';

/** Null for a site without a form. */
export function readPortal(edge: Edge, slug: string): Portal | null {
  return edge.desk.read((tx) => {
    const site = portalSite(tx, slug);
    return site && presentPortal(tx, site);
  });
}

export const portalSiteOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/customer/sites/{slug}',
    id: 'readPortal',
    tag: 'Customers',
    summary: 'Read what the form of a site needs',
    description: 'A site whose setting portal is off does not exist here.',
    access: 'open',
    answer: answered(200, 'The site as its customers see it', shapes.one(portalShape)),
    errors: [404],
    handle(call) {
      const data = readPortal(call.edge, call.params.slug ?? '');
      if (data === null) throw notFound('site');
      return jsonReply(200, { data });
    },
  }),
];

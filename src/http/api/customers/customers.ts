// Customers and their tickets (docs/spec/console.md#customers).

import * as z from 'zod';
import { listCustomers, readCustomer } from '../../../desk/customers/customers.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { untilSearchable } from '../../searchable.ts';
import {
  customerDetailShape,
  customerShape,
  presentCustomer,
  presentCustomerDetail,
} from '../../wire/customers/customers.ts';
import { createLookups } from '../../wire/lookups.ts';
import { pageOf, paging, site } from '../../wire/queries.ts';
import { jsonReply, pageBody } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { idOf } from '../parameters.ts';

const tag = 'Customers';

export const customerOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/customers',
    id: 'listCustomers',
    tag,
    summary: 'List customers',
    description:
      'Newest first, without those who were erased. q is part of an address or name, or a whole external id; of fewer than three characters, the beginning of an address. The total is counted up to 10,000, with q up to 1,000; meta.is_capped says that there are more.',
    access: 'team',
    ability: 'read',
    query: z.object({ q: z.string().max(200).optional(), site_id: site().optional(), ...paging }),
    answer: answered(200, 'One page', shapes.page(customerShape, { hasCap: true })),
    errors: [404],
    handle: async (call) => {
      const { q, site_id: site = null } = call.query;
      const page = pageOf(call.query);
      const offset = (page.page - 1) * page.perPage;
      const text = q?.trim() || null;
      if (text !== null) await untilSearchable(call.edge.desk);
      const { rows, total, isCapped } = call.edge.desk.read((tx) =>
        listCustomers(tx, call.ctx, { site, text, limit: page.perPage, offset }),
      );
      const body = pageBody(call.edge.baseUrl, call.url, rows.map(presentCustomer), page, total);
      return jsonReply(200, { ...body, meta: { ...body.meta, is_capped: isCapped } });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/customers/{id}',
    id: 'readCustomer',
    tag,
    summary: 'Read a customer with their newest tickets',
    access: 'team',
    ability: 'read',
    answer: answered(200, 'The customer', shapes.one(customerDetailShape)),
    errors: [404],
    read(tx, call) {
      const { customer, newest } = readCustomer(tx, call.ctx, idOf(call, 'customer'));
      const look = createLookups(tx, { listed: newest, reader: call.actor });
      return jsonReply(200, { data: presentCustomerDetail(customer, newest, look) });
    },
  }),
];

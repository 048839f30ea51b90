// Calls of customers' pages.

import type { TestApp } from '../../support/app.ts';
import type { Walks } from './step.ts';

/** The headers of a browser that has opened the link of a new ticket. */
async function visiting(app: TestApp) {
  const { ulid, accessToken } = await app.open();
  const traded = await app.ask('POST', '/api/v1/customer/links', { body: { ticket: ulid, token: accessToken } });
  const [cookie = ''] = (traded.headers.get('set-cookie') ?? '').split(';');
  return { ulid, headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' } };
}

export function customerPageWalks(app: TestApp): Walks {
  return {
    openCustomerLink: async () => {
      const { ulid, accessToken } = await app.open();
      return { params: {}, body: { ticket: ulid, token: accessToken } };
    },
    readCustomerTicket: async () => ({ params: {}, headers: (await visiting(app)).headers }),
  };
}

// Calls of customers' pages.

import { ratingPaths } from '../../../src/desk/customers/satisfaction.ts';
import { takeDue } from '../../../src/desk/outbox/attempts.ts';
import { query } from '../../../src/engine/database.ts';
import type { TestApp } from '../../support/app.ts';
import { customerBrowser, lastCode } from '../../support/customer-browser.ts';
import { each, file, type Walks } from './step.ts';

let people = 0;

async function opened(app: TestApp) {
  people += 1;
  const { ulid, accessToken } = await app.open({ email: `mia${people}@example.org` });
  const browser = customerBrowser(app);
  await browser.open(ulid, accessToken);
  return { ulid, browser };
}

export function customerPageWalks(app: TestApp): Walks {
  const visiting = async () => {
    const { browser } = await opened(app);
    return { params: {}, headers: browser.headers() };
  };
  const confirmed = async () => {
    const { ulid, browser } = await opened(app);
    await browser.confirm(ulid);
    return { params: {}, headers: browser.headers() };
  };
  const listing = async () => {
    const settings = { portal: 'form_and_tickets' };
    await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings });
    people += 1;
    const email = `mia${people}@example.org`;
    const { ulid } = await app.open({ email });
    const browser = customerBrowser(app);
    const site = app.site.slug;
    await browser.ask('POST', '/codes', { site, email });
    await browser.ask('POST', '/codes/confirm', { site, code: await lastCode(app) });
    return { ulid, site, headers: browser.headers() };
  };
  const ticket = async () => ({ params: { ticket: (await app.open()).ulid } });
  return {
    openCustomerLink: async () => {
      const { ulid, accessToken } = await app.open();
      return { params: {}, body: { ticket: ulid, token: accessToken } };
    },
    requestCustomerLink: async () => ({ params: {}, body: { ticket: (await app.open()).ulid } }),
    ...each(['readCustomerTicket', 'followCustomerTicket'], visiting),
    askForCustomerCode: async () => {
      const { ulid, browser } = await opened(app);
      return { params: {}, headers: browser.headers(), body: { ticket: ulid } };
    },
    enterCustomerCode: async () => {
      const { ulid, browser } = await opened(app);
      await browser.ask('POST', '/codes', { ticket: ulid });
      return { params: {}, headers: browser.headers(), body: { ticket: ulid, code: await lastCode(app) } };
    },
    replyByLink: async () => ({ ...(await confirmed()), body: { body: 'More.' } }),
    attachByLink: async () => ({ ...(await confirmed()), form: () => file() }),
    settleByLink: async () => ({ ...(await confirmed()), body: { status: 'resolved' } }),
    rateByMail: async () => {
      await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { ask_satisfaction: true } });
      people += 1;
      await app.open({ email: `mia${people}@example.org` });
      await app.desk.write((tx) =>
        takeDue(tx, app.desk.context({ kind: 'desk' }, 'test'), null, 1000, { by: 'test', ms: 0 }),
      );
      const text = "SELECT ulid FROM customer_links WHERE kind = 'mail' ORDER BY id DESC LIMIT 1";
      const row = query<{ ulid: string }>(app.desk.store.reading, text).get();
      const [, , link = '', token = ''] = ratingPaths(app.desk.seal, row?.ulid ?? '')
        .good.replace(/\?.*/, '')
        .split('/');
      return { params: {}, body: { link, token, rating: 'good', comment: 'Thanks.' } };
    },
    rateByLink: async () => {
      await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { ask_satisfaction: true } });
      const { ulid, browser } = await opened(app);
      await browser.confirm(ulid);
      await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { status: 'resolved' });
      return { params: {}, headers: browser.headers(), body: { rating: 'bad', comment: null } };
    },
    listOwnTickets: async () => {
      const { site, headers } = await listing();
      return { params: {}, query: { site }, headers };
    },
    openOwnTicket: async () => {
      const { ulid, site, headers } = await listing();
      return { params: { ulid }, body: { site }, headers };
    },
    forgetBrowser: visiting,
    ...each(['listTicketLinks', 'revokeTicketLinks'], ticket),
  };
}

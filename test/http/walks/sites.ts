// Calls about sites, their categories, priorities and custom fields, and the lists of their catalogues.

import type { TestApp } from '../../support/app.ts';
import { solve } from '../../support/solved.ts';
import { each, file, unique, type Walks } from './step.ts';

/** Adds an entry to a catalogue of the site, and gives its id. */
export function catalogueOf(app: TestApp) {
  const site = app.site.slug;
  const made = async (path: string, body: object) =>
    String((await app.asTeam('POST', `/api/v1/sites/${site}/${path}`, body)).json.data.id);
  /** Another order than the current one, of at least two. */
  const ids = async (path: string, add: () => Promise<string>) => {
    for (const _ of [1, 2]) await add();
    const rows = (await app.asTeam('GET', `/api/v1/sites/${site}/${path}?per_page=100`)).json.data;
    return rows.map((row: { id: number }) => row.id).toReversed();
  };
  return { site, made, ids };
}

export function siteWalks(app: TestApp): Walks {
  const { site, made, ids } = catalogueOf(app);
  const category = () => made('categories', { name: `C${app.desk.store.dataVersion()}${unique()}` });
  const priority = () => made('priorities', { name: `P${unique()}` });
  const field = () => made('custom-fields', { key: `f${unique()}`, label: 'Field', type: 'text' });
  const portal = async () => {
    await app.asTeam('PATCH', `/api/v1/sites/${site}`, { settings: { portal: 'form' } });
    return site;
  };
  const form = async () => {
    const { json } = await app.ask('GET', `/api/v1/customer/challenge?site=${await portal()}`);
    const email = `${unique()}@example.org`;
    return { site, email, subject: 'Broken', message: 'It came broken.', proof: solve(json.data) };
  };
  return {
    createSite: () => ({ params: {}, body: { name: 'Third shop' } }),
    ...each(['readSite', 'revealInboundUrl', 'listSiteAgents'], () => ({ params: { site } })),
    readChallenge: async () => ({ params: {}, query: { site: await portal() } }),
    sendForm: async () => ({ params: {}, body: await form() }),
    attachToForm: async () => {
      const sent = await app.ask('POST', '/api/v1/customer/tickets', { body: await form() });
      return { params: {}, form: file, headers: { 'X-Upload-Token': sent.json.data.upload_token } };
    },
    readPortal: async () => ({ params: { slug: await portal() } }),
    updateSite: () => ({ params: { site }, body: { description: 'New words' } }),
    deleteSite: async () => {
      const made = await app.asTeam('POST', '/api/v1/sites', { name: 'Short lived' });
      return { params: { site: made.json.data.slug }, query: { confirm: made.json.data.slug } };
    },
    ...each(['rotateSiteToken', 'rotateInboundSecret'], async () => ({
      params: { site: (await app.asTeam('POST', '/api/v1/sites', { name: 'Turned over' })).json.data.slug },
      body: { grace_minutes: 5 },
    })),
    recomputeSla: () => ({ params: { site }, body: {} }),
    ...each(
      [
        'listCategories',
        'listPriorities',
        'listCustomFields',
        'listWebhookChannels',
        'listInboundRules',
        'listInboundMail',
      ],
      () => ({ params: { site } }),
    ),
    createCategory: () => ({ params: { site }, body: { name: 'Billing' } }),
    createPriority: () => ({ params: { site }, body: { name: 'Critical', first_response_minutes: 10 } }),
    createCustomField: () => ({
      params: { site },
      body: { key: `k${unique()}`, label: 'Order', type: 'text' },
    }),
    orderCategories: async () => ({ params: { site }, body: { ids: await ids('categories', category) } }),
    orderPriorities: async () => ({ params: { site }, body: { ids: await ids('priorities', priority) } }),
    orderCustomFields: async () => ({ params: { site }, body: { ids: await ids('custom-fields', field) } }),
    ...each(['readCategory', 'deleteCategory'], async () => ({ params: { site, id: await category() } })),
    updateCategory: async () => ({ params: { site, id: await category() }, body: { color: '#112233' } }),
    ...each(['readPriority', 'deletePriority'], async () => ({ params: { site, id: await priority() } })),
    updatePriority: async () => ({ params: { site, id: await priority() }, body: { level: 7 } }),
    ...each(['readCustomField', 'deleteCustomField'], async () => ({ params: { site, id: await field() } })),
    updateCustomField: async () => ({ params: { site, id: await field() }, body: { label: 'Other' } }),
  };
}

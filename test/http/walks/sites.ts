// Calls about sites, their categories, priorities and custom fields, and the lists of their catalogues.

import { saveMailApp } from '../../../src/desk/mail/mail-apps.ts';
import { mailAppInput } from '../../../src/domain/input/mailboxes.ts';
import type { TestApp } from '../../support/app.ts';
import { consentingProvider } from '../../support/issuer.ts';
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
  const sender = () => made('senders', { address: `s${unique()}@shop.example` });
  const mailboxBody = () => ({
    name: 'Support',
    address: `m${unique()}@shop.example`,
    password: 'correct horse',
    incoming: { host: 'imap.shop.example', user: 'help' },
  });
  const mailbox = () => made('mailboxes', mailboxBody());
  const mailApp = {
    issuer: 'https://login.example.org',
    client_id: `desk${unique()}`,
    client_secret: 'shared words',
    scope: 'mail',
  };
  const context = () => app.desk.context({ kind: 'command_line' }, 'walk');
  const oauthMailbox = async () => {
    await app.desk.write((tx) => saveMailApp(tx, context(), 'other', mailAppInput.parse(mailApp)));
    app.edge.mailboxes.provider = consentingProvider;
    return await made('mailboxes', { ...mailboxBody(), password: undefined, authentication: 'oauth' });
  };
  const connect = async () =>
    await app.asTeam('POST', `/api/v1/sites/${site}/mailboxes/${await oauthMailbox()}/connect`);
  const field = () => made('custom-fields', { key: `f${unique()}`, label: 'Field', type: 'text' });
  const ofCode = { name: 'code', locale: 'nl' };
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
    readSettingsFile: () => ({ params: { site } }),
    importSettingsFile: () => ({ params: { site }, body: { yaml: 'version: 1\nname: Web shop\n' } }),
    createSite: () => ({ params: {}, body: { name: 'Third shop' } }),
    ...each(['readSite', 'revealInboundUrl', 'listSiteAgents'], () => ({ params: { site } })),
    readTicketChoices: () => ({ params: {}, query: { sites: site } }),
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
    previewSla: () => ({ params: { site }, body: { opened_at: '2026-11-20T16:40' } }),
    recomputeSla: () => ({ params: { site }, body: {} }),
    ...each(
      [
        'listCategories',
        'listPriorities',
        'listCustomFields',
        'listSenders',
        'listMailboxes',
        'listWebhookChannels',
        'listInboundRules',
        'listTriggers',
        'listTimedRules',
        'listRecurringTickets',
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
    previewSignature: () => ({ params: { site }, body: { signature: '{{agent.name}}' } }),
    listMailTemplates: () => ({ params: { site } }),
    putMailTemplate: () => ({ params: { site, ...ofCode }, body: { body: `Code ${unique()}:\n\n{{code}}` } }),
    resetMailTemplate: async () => {
      await app.asTeam('PUT', `/api/v1/sites/${site}/mail-templates/code/nl`, { body: '{{code}}' });
      return { params: { site, ...ofCode } };
    },
    previewMailTemplate: () => ({ params: { site, ...ofCode }, body: { body: '{{code}}' } }),
    testMailTemplate: async () => ({
      params: { site, ...ofCode },
      body: { agent_id: (await app.person('member')).agentId },
    }),
    listCanaries: async () => ({ params: { site, id: await mailbox() } }),
    createMailbox: () => ({ params: { site }, body: mailboxBody() }),
    ...each(['readMailbox', 'deleteMailbox', 'testMailbox', 'pauseMailbox', 'syncMailbox'], async () => ({
      params: { site, id: await mailbox() },
    })),
    resumeMailbox: async () => {
      const id = await mailbox();
      await app.asTeam('POST', `/api/v1/sites/${site}/mailboxes/${id}/pause`);
      return { params: { site, id } };
    },
    ...each(['listMailApps'], () => ({ params: {} })),
    saveMailApp: () => ({ params: { provider: 'other' }, body: mailApp }),
    deleteMailApp: async () => {
      await app.desk.write((tx) =>
        saveMailApp(tx, context(), 'google', { ...mailAppInput.parse(mailApp), issuer: undefined }),
      );
      return { params: { provider: 'google' } };
    },
    connectMailbox: async () => ({ params: { site, id: await oauthMailbox() } }),
    consentToMailbox: async () => {
      const link = new URL((await connect()).json.data.url).searchParams.get('link') ?? '';
      return { params: {}, query: { link } };
    },
    returnFromConsent: async () => {
      const page = await app.ask('GET', (await connect()).json.data.url.replace(app.edge.baseUrl, ''));
      return { params: {}, headers: { Cookie: page.headers.getSetCookie()[0]?.split(';')[0] ?? '' } };
    },
    updateMailbox: async () => ({ params: { site, id: await mailbox() }, body: { name: 'Returns' } }),
    createSender: () => ({ params: { site }, body: { address: `s${unique()}@shop.example` } }),
    ...each(['readSender', 'deleteSender', 'checkSender'], async () => ({ params: { site, id: await sender() } })),
    updateSender: async () => ({ params: { site, id: await sender() }, body: { name: 'Returns' } }),
    orderSenders: async () => ({ params: { site }, body: { ids: await ids('senders', sender) } }),
    ...each(['readCategory', 'deleteCategory'], async () => ({ params: { site, id: await category() } })),
    updateCategory: async () => ({ params: { site, id: await category() }, body: { color: '#112233' } }),
    ...each(['readPriority', 'deletePriority'], async () => ({ params: { site, id: await priority() } })),
    updatePriority: async () => ({ params: { site, id: await priority() }, body: { level: 7 } }),
    ...each(['readCustomField', 'deleteCustomField'], async () => ({ params: { site, id: await field() } })),
    updateCustomField: async () => ({ params: { site, id: await field() }, body: { label: 'Other' } }),
  };
}

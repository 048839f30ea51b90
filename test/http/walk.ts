// A successful call for every operation: the contract test, the matrix and the fuzzing start from these.

import { createBoardLink } from '../../src/desk/reports/board-links.ts';
import type { TestApp } from '../support/app.ts';
import { channelAndMailWalks } from './walks/channels-and-mail.ts';
import { customerPageWalks } from './walks/customer-pages.ts';
import { peopleWalks } from './walks/people.ts';
import { signInWalks } from './walks/sign-in.ts';
import { siteWalks } from './walks/sites.ts';
import { each, type Step, unique, type Walks } from './walks/step.ts';
import { ticketWalks } from './walks/tickets.ts';
import { viewWalks } from './walks/views.ts';

function plainWalks(): Walks {
  return {
    ...each(
      [
        'getConfig',
        'listTickets',
        'listCustomers',
        'listSites',
        'listEvents',
        'listAudit',
        'listAgents',
        'listTokens',
        'countViews',
        'listViews',
        'listSavedReports',
        'listBoardLinks',
        'listNotifications',
        'readNotificationPreferences',
        'readDesk',
        'listSettings',
        'readSystem',
        'startBackup',
        'listOutbox',
        'listReleases',
        'testRestore',
        'testServices',
        'testMailServer',
        'readBackup',
        'downloadBackup',
        'testIssuer',
        'followLive',
        'readDocument',
        'readReference',
      ],
      () => ({ params: {} }),
    ),
  };
}

function reportWalks(app: TestApp): Walks {
  const { site } = app;
  const params = { name: 'overview' };
  const body = () => ({
    name: `Weekly ${unique()}`,
    report: 'response',
    query: { site_id: site.id, group_by: 'week' },
  });
  const saved = async () => {
    const { json } = await app.asTeam('POST', '/api/v1/reports/saved', body());
    const { headers } = await app.signIn(app.agentId);
    return { params: { id: String(json.data.id) }, headers };
  };
  const context = () => app.desk.context({ kind: 'command_line' }, 'walk');
  const boardLink = () => app.desk.write((tx) => createBoardLink(tx, context(), { name: 'Wall' }));
  return {
    readReport: () => ({ params, query: { site_id: String(site.id) } }),
    listReportTickets: () => ({ params, query: { site_id: String(site.id), metric: 'created' } }),
    readBoard: async () => ({ params: {}, body: { secret: (await boardLink()).secret } }),
    createBoardLink: () => ({ params: {}, body: { name: 'Wall' } }),
    revokeBoardLink: async () => ({ params: { id: String((await boardLink()).link.id) } }),
    createSavedReport: () => ({ params: {}, body: body() }),
    updateSavedReport: async () => ({ ...(await saved()), body: { name: 'Other' } }),
    deleteSavedReport: saved,
  };
}

/** New rows for each call, so that calls do not affect each other. */
export async function stepFor(app: TestApp, id: string): Promise<Step> {
  if (id.startsWith('readDocs_')) return { params: {} };
  const walks: Walks = {
    ...plainWalks(),
    ...reportWalks(app),
    ...ticketWalks(app),
    ...siteWalks(app),
    ...channelAndMailWalks(app),
    ...peopleWalks(app),
    ...signInWalks(app),
    ...viewWalks(app),
    ...customerPageWalks(app),
  };
  const walk = walks[id];
  if (!walk) throw new Error(`no call is known for ${id}`);
  return walk();
}

export function pathOf(path: string, { params, query = {} }: Step): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

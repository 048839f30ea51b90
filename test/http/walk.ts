// A successful call for every operation: the contract test, the matrix and the fuzzing start from these.

import type { TestApp } from '../support/app.ts';
import { channelAndMailWalks } from './walks/channels-and-mail.ts';
import { customerPageWalks } from './walks/customer-pages.ts';
import { peopleWalks } from './walks/people.ts';
import { signInWalks } from './walks/sign-in.ts';
import { siteWalks } from './walks/sites.ts';
import { each, type Step, type Walks } from './walks/step.ts';
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
        'readDesk',
        'followLive',
        'readDocument',
        'readReference',
      ],
      () => ({ params: {} }),
    ),
  };
}

/** New rows for each call, so that calls do not affect each other. */
export async function stepFor(app: TestApp, id: string): Promise<Step> {
  if (id.startsWith('readDocs_')) return { params: {} };
  const walks: Walks = {
    ...plainWalks(),
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

// A set of sites gives an actor access to these sites and no others, whatever it asks for.

import { afterAll, describe, expect, test } from 'bun:test';
import { findSite, findTicket, listScope, requireWholeDesk } from '../../src/desk/access.ts';
import { listInboundLog } from '../../src/desk/mail/log.ts';
import { createSite, listVisibleSites } from '../../src/desk/sites/sites.ts';
import { changeTicket } from '../../src/desk/tickets/change-ticket.ts';
import { readTicket } from '../../src/desk/tickets/find-ticket.ts';
import { openTicketAsAgent } from '../../src/desk/tickets/tickets.ts';
import type { Actor, Scope } from '../../src/domain/actor.ts';
import { token, workbench } from './workbench.ts';

const bench = workbench();
afterAll(() => bench.close());
const sites = [
  bench.site,
  ...['b', 'c', 'd', 'e', 'f'].map((slug) => bench.do((tx, ctx) => createSite(tx, ctx, { name: slug, slug })).site),
];
const tickets = sites.map(
  ({ id }) =>
    bench.do((tx, ctx) =>
      openTicketAsAgent(tx, ctx, { site_id: id, email: 'mia@example.org', subject: 'Help', message: 'It broke.' }),
    ).ticket,
);
const ids = sites.map(({ id }) => id);

describe.each([0, 1, 2, 5, 6])('a set of %i sites', (size) => {
  const scope: Scope = ids.slice(0, size);
  const actor: Actor = { ...token(['read', 'write', 'manage']), scope } as Actor;

  test.each(sites.map((site, at) => [at, site] as const))('opens site %i if it holds it', (at, site) => {
    const ticket = tickets[at];
    if (ticket === undefined) throw new Error('no ticket');
    const asks: Record<string, Parameters<typeof bench.do>[0]> = {
      'the site by id': (tx, ctx) => findSite(tx, ctx, site.id),
      'the site by slug': (tx, ctx) => findSite(tx, ctx, site.slug),
      'the site by ulid': (tx, ctx) => findSite(tx, ctx, site.ulid),
      'the ticket by id': (tx, ctx) => findTicket(tx, ctx, ticket.id),
      'the ticket by ulid': (tx, ctx) => readTicket(tx, ctx, ticket.ulid),
      'a change': (tx, ctx) => changeTicket(tx, ctx, ticket.ulid, { subject: `Help ${size}` }, null),
      'its list': (tx, ctx) => listScope(tx, ctx, site.slug),
      'its mail': (tx, ctx) => listInboundLog(tx, ctx, site.slug, { outcomes: [] }, 1, 0),
    };
    for (const [what, ask] of Object.entries(asks)) {
      if (at < size) bench.do(ask, actor);
      else expect(bench.refusal(ask, actor).code, what).toBe('not_found');
    }
    const open = (tx: Parameters<typeof findSite>[0], ctx: Parameters<typeof findSite>[1]) =>
      openTicketAsAgent(tx, ctx, { site_id: site.id, email: 'mia@example.org', subject: 'Help', message: 'More.' });
    if (at < size) bench.do(open, actor);
    else expect(bench.refusal(open, actor).errors, 'a new ticket').toHaveProperty('site_id');
  });

  test('lists these sites, and is not the whole desk', () => {
    expect(bench.do((tx, ctx) => listScope(tx, ctx, null), actor)).toEqual(scope);
    expect(bench.do((tx, ctx) => listVisibleSites(tx, ctx, 10, 0), actor).rows.map(({ id }) => id)).toEqual([...scope]);
    expect(bench.refusal((_tx, ctx) => requireWholeDesk(ctx), actor)).toMatchObject({
      code: 'forbidden',
      reason: 'site_scoped',
    });
  });
});

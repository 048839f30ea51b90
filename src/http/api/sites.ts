// The agent surface: sites and their catalogue (docs/spec/api.md#sites).

import * as z from 'zod';
import { listAssignableAgents } from '../../desk/people.ts';
import {
  changeSite,
  createSite,
  listVisibleSites,
  readSite,
  removeSite,
  rotateInboundSecret,
  rotateSiteToken,
  siteEtag,
} from '../../desk/sites.ts';
import { can } from '../../domain/actor.ts';
import { rotateInput, siteChangeInput, siteInput } from '../../domain/input/sites.ts';
import type { Site } from '../../store/sites.ts';
import { type Call, type Operation, operation } from '../operation.ts';
import { taggedReply, visible } from '../visible.ts';
import { inboundWebhookUrl, presentAgent, presentSite } from '../wire/present.ts';
import { pageOrWhole, pagingQuery } from '../wire/queries.ts';
import { emptyReply, jsonReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { pageReply, shortListReply, wholeOrPage } from './lists.ts';
import { siteName } from './parameters.ts';

function siteBody(call: Call, site: Site) {
  const secret = can(call.actor, 'manage') ? call.ctx.seal.open(site.inboundSecretSealed) : null;
  return visible(call, presentSite(site, call.edge, secret));
}

const deleteSiteQuery = z.object({ confirm: z.string().max(64).optional().meta({ description: "The site's slug." }) });

export const agentSiteOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/sites',
    id: 'listSites',
    tag: 'Sites',
    summary: 'List sites',
    access: 'team',
    query: pagingQuery,
    answer: { status: 200, description: wholeOrPage, schema: shapes.page(shapes.site) },
    handle(call) {
      const page = pageOrWhole(call.query);
      const { rows, total } = call.edge.desk.read((tx) =>
        listVisibleSites(tx, call.ctx, page.perPage, (page.page - 1) * page.perPage),
      );
      const data = rows.map((site) => siteBody(call, site));
      return pageReply(call, data, page, total);
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites',
    id: 'createSite',
    tag: 'Sites',
    summary: 'Create a site',
    description:
      'With priorities Low, Normal (default), High, Urgent and category General. The site token is shown this once.',
    access: 'team',
    body: siteInput,
    answer: {
      status: 201,
      description: 'The site and its token',
      schema: z.object({ data: shapes.site, site_token: z.string() }),
    },
    errors: [409],
    handle: (call) =>
      call.commit((tx) => {
        const { site, siteToken } = createSite(tx, call.ctx, call.body);
        return taggedReply(call, 201, { data: siteBody(call, site), site_token: siteToken }, siteEtag(site));
      }),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/sites/{site}',
    id: 'readSite',
    tag: 'Sites',
    summary: 'Read a site',
    access: 'team',
    hasEtag: true,
    answer: { status: 200, description: 'The site', schema: shapes.one(shapes.site) },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) => {
        const site = readSite(tx, call.ctx, siteName(call));
        return taggedReply(call, 200, { data: siteBody(call, site) }, siteEtag(site));
      }),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/sites/{site}',
    id: 'updateSite',
    tag: 'Sites',
    summary: 'Change a site',
    description: 'sla_policy and settings merge at their first level.',
    access: 'team',
    hasEtag: true,
    body: siteChangeInput,
    answer: { status: 200, description: 'The site as it is now', schema: shapes.one(shapes.site) },
    errors: [404, 409, 412],
    handle: (call) =>
      call.commit((tx) => {
        const site = changeSite(tx, call.ctx, siteName(call), call.body, call.ifMatch);
        return taggedReply(call, 200, { data: siteBody(call, site) }, siteEtag(site));
      }),
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/sites/{site}',
    id: 'deleteSite',
    tag: 'Sites',
    summary: 'Remove a site with its tickets and files',
    access: 'team',
    hasEtag: true,
    query: deleteSiteQuery,
    answer: { status: 204, description: 'Removed', schema: null },
    errors: [404, 409, 412],
    async handle(call) {
      const { confirm } = call.query;
      let files: string[] = [];
      const reply = await call.commit((tx) => {
        files = removeSite(tx, call.ctx, siteName(call), confirm ?? null, call.ifMatch);
        return emptyReply(204);
      });
      // What a crash leaves here, the sweep finds.
      for (const ulid of files) await call.edge.blobs.remove(ulid);
      return reply;
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/token',
    id: 'rotateSiteToken',
    tag: 'Sites',
    summary: 'Turn over the site token',
    access: 'team',
    body: rotateInput,
    isBodyOptional: true,
    answer: {
      status: 200,
      description: 'The new token, shown this once',
      schema: z.object({ data: shapes.site, site_token: z.string() }),
    },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const grace = call.body.grace_minutes ?? null;
        const { site, siteToken } = rotateSiteToken(tx, call.ctx, siteName(call), grace);
        return jsonReply(200, { data: siteBody(call, site), site_token: siteToken });
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/inbound-secret',
    id: 'rotateInboundSecret',
    tag: 'Sites',
    summary: 'Turn over the secret in the inbound mail address',
    access: 'team',
    body: rotateInput,
    isBodyOptional: true,
    answer: {
      status: 200,
      description: 'The new secret',
      schema: z.object({ data: shapes.site, inbound_secret: z.string(), inbound_webhook_url: z.string() }),
    },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const grace = call.body.grace_minutes ?? null;
        const { site, inboundSecret } = rotateInboundSecret(tx, call.ctx, siteName(call), grace);
        return jsonReply(200, {
          data: siteBody(call, site),
          inbound_secret: inboundSecret,
          inbound_webhook_url: inboundWebhookUrl(call.edge.baseUrl, inboundSecret),
        });
      }),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/sites/{site}/agents',
    id: 'listSiteAgents',
    tag: 'Sites',
    summary: 'Who a ticket can be assigned to',
    access: 'team',
    query: pagingQuery,
    answer: { status: 200, description: wholeOrPage, schema: shapes.page(shapes.agent) },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) =>
        shortListReply(call, listAssignableAgents(tx, call.ctx, siteName(call)), presentAgent),
      ),
  }),
];

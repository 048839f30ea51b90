// The agent surface: sites and their catalogue (docs/spec/api.md#sites).

import * as z from 'zod';
import { listAssignableAgents } from '../../desk/people/people.ts';
import { removeSite } from '../../desk/site-removal.ts';
import { revealInboundSecret, rotateInboundSecret, rotateSiteToken } from '../../desk/site-secrets.ts';
import { changeSite, createSite, listVisibleSites, readSite, siteEtag } from '../../desk/sites.ts';
import { can } from '../../domain/actor.ts';
import { rotateInput, siteChangeInput, siteInput } from '../../domain/input/sites.ts';
import type { Site } from '../../store/sites.ts';
import { type Call, type Operation, operation } from '../operation.ts';
import { agentShape, presentAgent } from '../wire/people.ts';
import { pageOrWhole, pagingQuery } from '../wire/queries.ts';
import { emptyReply, jsonReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { inboundWebhookUrl, presentSite, siteShape } from '../wire/site.ts';
import { taggedReply, visible } from '../write-only-answer.ts';
import { pageReply, shortListReply, wholeOrPage } from './lists.ts';
import { siteName } from './parameters.ts';

/** The inbound URL is a secret: a session gets it only by an operation of its own. */
function siteBody(call: Call, site: Site) {
  const isShown = call.session === null && can(call.actor, 'manage');
  const secret = isShown ? call.ctx.seal.open(site.inboundSecretSealed) : null;
  return visible(call, presentSite(site, call.edge, secret));
}

const deleteSiteQuery = z.object({
  confirm: z.string().max(64).optional().meta({ description: "The site's slug, to confirm." }),
});

export const agentSiteOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/sites',
    id: 'listSites',
    tag: 'Sites',
    summary: 'List sites',
    access: 'team',
    ability: 'read',
    query: pagingQuery,
    answer: { status: 200, description: wholeOrPage, schema: shapes.page(siteShape) },
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
      'Creates the priorities Low, Normal (the default), High and Urgent, and the category General. The site token is shown only in this answer.',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'manage',
    body: siteInput,
    answer: {
      status: 201,
      description: 'The site and its token',
      schema: z.object({ data: siteShape, site_token: z.string() }),
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
    ability: 'read',
    hasEtag: true,
    answer: { status: 200, description: 'The site', schema: shapes.one(siteShape) },
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
    summary: 'Update a site',
    description: 'Top-level keys of sla_policy and settings are merged: a key that you leave out keeps its value.',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'manage',
    hasEtag: true,
    body: siteChangeInput,
    answer: { status: 200, description: 'The updated site', schema: shapes.one(siteShape) },
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
    summary: 'Delete a site with its tickets and files',
    access: 'team',
    ability: 'manage',
    needsConfirmation: true,
    hasEtag: true,
    query: deleteSiteQuery,
    answer: { status: 204, description: 'Deleted', schema: null },
    errors: [404, 409, 412],
    async handle(call) {
      const { confirm } = call.query;
      let files: string[] = [];
      const reply = await call.commit((tx) => {
        files = removeSite(tx, call.ctx, siteName(call), confirm ?? null, call.ifMatch);
        return emptyReply(204);
      });
      // If a crash leaves files behind, the sweep removes them.
      for (const ulid of files) await call.edge.blobs.remove(ulid);
      return reply;
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/token',
    id: 'rotateSiteToken',
    tag: 'Sites',
    summary: 'Rotate the site token',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'manage',
    needsConfirmation: true,
    body: rotateInput,
    isBodyOptional: true,
    answer: {
      status: 200,
      description: 'The site and its new token, which is shown only in this answer',
      schema: z.object({ data: siteShape, site_token: z.string() }),
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
    summary: 'Rotate the secret of the inbound webhook URL',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'manage',
    needsConfirmation: true,
    body: rotateInput,
    isBodyOptional: true,
    answer: {
      status: 200,
      description: 'The site with its new secret and URL',
      schema: z.object({ data: siteShape, inbound_secret: z.string(), inbound_webhook_url: z.string() }),
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
    method: 'POST',
    path: '/api/v1/sites/{site}/inbound-url',
    id: 'revealInboundUrl',
    tag: 'Sites',
    summary: 'Show the inbound webhook URL',
    description: 'A session sees it only here. The audit log has a row for each time.',
    access: 'team',
    ability: 'manage',
    needsConfirmation: true,
    answer: {
      status: 200,
      description: 'The URL',
      schema: z.object({ data: z.object({ inbound_webhook_url: z.string() }) }),
    },
    errors: [404],
    handle: (call) =>
      call.commit((tx) => {
        const { inboundSecret } = revealInboundSecret(tx, call.ctx, siteName(call));
        return jsonReply(200, { data: { inbound_webhook_url: inboundWebhookUrl(call.edge.baseUrl, inboundSecret) } });
      }),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/sites/{site}/agents',
    id: 'listSiteAgents',
    tag: 'Sites',
    summary: 'List the agents that a ticket can be assigned to',
    access: 'team',
    ability: 'read',
    query: pagingQuery,
    answer: { status: 200, description: wholeOrPage, schema: shapes.page(agentShape) },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) =>
        shortListReply(call, listAssignableAgents(tx, call.ctx, siteName(call)), presentAgent),
      ),
  }),
];

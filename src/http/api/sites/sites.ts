// The agent surface: sites and their catalogue (docs/spec/api.md#sites).

import * as z from 'zod';
import { listAssignableAgents } from '../../../desk/people/agents.ts';
import { removeSite } from '../../../desk/sites/removal.ts';
import { revealInboundSecret, rotateInboundSecret, rotateSiteToken } from '../../../desk/sites/secrets.ts';
import { previewSignature } from '../../../desk/sites/signature.ts';
import { changeSite, createSite, listVisibleSites, readSite, siteEtag } from '../../../desk/sites/sites.ts';
import { can } from '../../../domain/actor.ts';
import { rotateInput, signatureInput, siteChangeInput, siteInput } from '../../../domain/input/sites.ts';
import type { Site } from '../../../store/sites/sites.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { agentShape, presentAgent } from '../../wire/people/people.ts';
import { pageOrWhole, pagingQuery } from '../../wire/queries.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { inboundWebhookUrl, presentSite, siteShape } from '../../wire/sites/site.ts';
import { taggedReply, visible } from '../../write-only-answer.ts';
import { pageReply, shortListReply, wholeOrPage } from '../lists.ts';
import { siteName } from '../parameters.ts';

const reading = { tag: 'Sites', access: 'team', ability: 'read' } as const;
const managing = { tag: 'Sites', access: 'team', ability: 'manage' } as const;

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
    ...reading,
    summary: 'List sites',
    query: pagingQuery,
    answer: answered(200, wholeOrPage, shapes.page(siteShape)),
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
    ...managing,
    summary: 'Create a site',
    description:
      'Creates the priorities Low, Normal (the default), High and Urgent, and the category General. The site token is shown only in this answer.',
    isShortWithoutRead: true,
    body: siteInput,
    answer: answered(201, 'The site and its token', z.object({ data: siteShape, site_token: z.string() })),
    errors: [409],
    write(tx, call) {
      const { site, siteToken } = createSite(tx, call.ctx, call.body);
      return taggedReply(call, 201, { data: siteBody(call, site), site_token: siteToken }, siteEtag(site));
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/sites/{site}',
    id: 'readSite',
    ...reading,
    summary: 'Read a site',
    hasEtag: true,
    answer: answered(200, 'The site', shapes.one(siteShape)),
    errors: [404],
    read(tx, call) {
      const site = readSite(tx, call.ctx, siteName(call));
      return taggedReply(call, 200, { data: siteBody(call, site) }, siteEtag(site));
    },
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/sites/{site}',
    id: 'updateSite',
    ...managing,
    summary: 'Update a site',
    description: 'Top-level keys of sla_policy and settings are merged: a key that you leave out keeps its value.',
    isShortWithoutRead: true,
    hasEtag: true,
    body: siteChangeInput,
    answer: answered(200, 'The updated site', shapes.one(siteShape)),
    errors: [404, 409, 412],
    write(tx, call) {
      const site = changeSite(tx, call.ctx, siteName(call), call.body, call.ifMatch);
      return taggedReply(call, 200, { data: siteBody(call, site) }, siteEtag(site));
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/sites/{site}',
    id: 'deleteSite',
    ...managing,
    summary: 'Delete a site with its tickets and files',
    needsConfirmation: true,
    hasEtag: true,
    query: deleteSiteQuery,
    answer: answered(204, 'Deleted', null),
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
    ...managing,
    summary: 'Rotate the site token',
    isShortWithoutRead: true,
    needsConfirmation: true,
    body: rotateInput,
    isBodyOptional: true,
    answer: answered(
      200,
      'The site and its new token, which is shown only in this answer',
      z.object({ data: siteShape, site_token: z.string() }),
    ),
    errors: [404, 409],
    write(tx, call) {
      const grace = call.body.grace_minutes ?? null;
      const { site, siteToken } = rotateSiteToken(tx, call.ctx, siteName(call), grace);
      return jsonReply(200, { data: siteBody(call, site), site_token: siteToken });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/inbound-secret',
    id: 'rotateInboundSecret',
    ...managing,
    summary: 'Rotate the secret of the inbound webhook URL',
    isShortWithoutRead: true,
    needsConfirmation: true,
    body: rotateInput,
    isBodyOptional: true,
    answer: answered(
      200,
      'The site with its new secret and URL',
      z.object({ data: siteShape, inbound_secret: z.string(), inbound_webhook_url: z.string() }),
    ),
    errors: [404, 409],
    write(tx, call) {
      const grace = call.body.grace_minutes ?? null;
      const { site, inboundSecret } = rotateInboundSecret(tx, call.ctx, siteName(call), grace);
      return jsonReply(200, {
        data: siteBody(call, site),
        inbound_secret: inboundSecret,
        inbound_webhook_url: inboundWebhookUrl(call.edge.baseUrl, inboundSecret),
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/inbound-url',
    id: 'revealInboundUrl',
    ...managing,
    summary: 'Show the inbound webhook URL',
    description: 'A session sees it only here. The audit log has a row for each time.',
    needsConfirmation: true,
    answer: answered(200, 'The URL', z.object({ data: z.object({ inbound_webhook_url: z.string() }) })),
    errors: [404],
    write(tx, call) {
      const { inboundSecret } = revealInboundSecret(tx, call.ctx, siteName(call));
      return jsonReply(200, { data: { inbound_webhook_url: inboundWebhookUrl(call.edge.baseUrl, inboundSecret) } });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/signature/preview',
    id: 'previewSignature',
    ...reading,
    summary: 'See the signature under your replies',
    description: 'By the signature in the request, or the one that the site has now.',
    isDryRun: true,
    body: signatureInput,
    isBodyOptional: true,
    answer: answered(
      200,
      'The signature, as it was written in Markdown and as HTML',
      z.object({ data: z.object({ signature: z.string(), html: z.string() }) }),
    ),
    errors: [404],
    async handle(call) {
      const { renderMarkdown } = await import('../../../mail/markdown.ts');
      const signature = call.edge.desk.read((tx) => previewSignature(tx, call.ctx, siteName(call), call.body));
      return jsonReply(200, { data: { signature, html: renderMarkdown(signature) } });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/sites/{site}/agents',
    id: 'listSiteAgents',
    ...reading,
    summary: 'List the agents that a ticket can be assigned to',
    query: pagingQuery,
    answer: answered(200, wholeOrPage, shapes.page(agentShape)),
    errors: [404],
    read: (tx, call) =>
      shortListReply(call, listAssignableAgents(tx, call.ctx, siteName(call)), (agent) =>
        presentAgent(agent, call.ctx.now),
      ),
  }),
];

// The agent surface: sites and their catalogue (docs/spec/api.md#sites).

import * as z from 'zod';
import { type Catalogue, categories, customFields, priorities, rowEtag } from '../../desk/catalogue.ts';
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
import { notFound } from '../../domain/errors.ts';
import {
  categoryChangeInput,
  categoryInput,
  customFieldChangeInput,
  customFieldInput,
  orderInput,
  priorityChangeInput,
  priorityInput,
  rotateInput,
  type SiteChangeInput,
  type SiteInput,
  siteChangeInput,
  siteInput,
} from '../../domain/input/sites.ts';
import type { Site } from '../../store/sites.ts';
import type { Call, Operation } from '../operation.ts';
import { taggedReply, visible } from '../visible.ts';
import {
  inboundWebhookUrl,
  presentAgent,
  presentCategory,
  presentCustomField,
  presentPriority,
  presentSite,
} from '../wire/present.ts';
import { pageOrWhole, pagingQuery } from '../wire/queries.ts';
import { emptyReply, jsonReply, pageBody } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';

function siteBody(call: Call, site: Site) {
  const secret = can(call.actor, 'manage') ? call.ctx.seal.open(site.inboundSecretSealed) : null;
  return visible(call, presentSite(site, call.edge, secret));
}

const wholeOrPage = 'All of them, in their order, up to 1,000; one page where page or per_page is sent';
const siteName = (call: Call) => call.params.site ?? '';

/** A short list that is read whole, or one page of it. */
function pageOfRows<Row>(call: Call, rows: readonly Row[], present: (row: Row) => unknown) {
  const page = pageOrWhole(call.query as z.output<typeof pagingQuery>);
  const from = (page.page - 1) * page.perPage;
  return jsonReply(
    200,
    pageBody(call.edge.baseUrl, call.url, rows.slice(from, from + page.perPage).map(present), page, rows.length),
  );
}

interface CatalogueRoutes<Row, Input, Change> {
  /** The last part of the path. */
  path: string;
  tag: string;
  one: string;
  many: string;
  verbs: Catalogue<Row, Input, Change>;
  input: z.ZodType;
  change: z.ZodType;
  shape: z.ZodType;
  /** What adding one answers, where that is more than the row. */
  addedShape?: z.ZodType;
  present(row: Row, site: Site, call: Call): Record<string, unknown>;
  add?(call: Call): ReturnType<Operation['handle']>;
  /** What must be looked at before a write step, since it waits. */
  before?(call: Call): Promise<void>;
}

/** The six operations that every noun of a site's catalogue has. */
export function catalogueOperations<Row extends { id: number; version: number }, Input, Change>(
  routes: CatalogueRoutes<Row, Input, Change>,
): Operation[] {
  const { verbs, tag, one, many, shape, present } = routes;
  const base = `/api/v1/sites/{site}/${routes.path}`;
  const rowId = (call: Call) => {
    const text = call.params.id ?? '';
    if (!/^\d{1,15}$/.test(text)) throw notFound(verbs.noun);
    return Number(text);
  };
  const answer = (call: Call, status: number, { site, row }: { site: Site; row: Row }) =>
    taggedReply(call, status, { data: visible(call, present(row, site, call)) }, rowEtag(verbs.noun, row));
  return [
    {
      method: 'GET',
      path: base,
      id: `list${many}`,
      tag,
      summary: `List ${routes.path.replaceAll('-', ' ')}`,
      access: 'team',
      query: pagingQuery,
      answer: { status: 200, description: wholeOrPage, schema: shapes.page(shape) },
      errors: [404],
      handle: (call) =>
        call.edge.desk.read((tx) => {
          const { site, rows } = verbs.list(tx, call.ctx, siteName(call));
          return pageOfRows(call, rows, (row) => present(row, site, call));
        }),
    },
    {
      method: 'POST',
      path: base,
      id: `create${one}`,
      tag,
      summary: `Add a ${verbs.noun}`,
      access: 'team',
      body: routes.input,
      answer: { status: 201, description: `The ${verbs.noun}`, schema: routes.addedShape ?? shapes.one(shape) },
      errors: [404, 409],
      async handle(call) {
        await routes.before?.(call);
        if (routes.add) return routes.add(call);
        return call.commit((tx) => answer(call, 201, verbs.add(tx, call.ctx, siteName(call), call.body as Input)));
      },
    },
    {
      method: 'PATCH',
      path: `${base}/order`,
      id: `order${many}`,
      tag,
      summary: `Put the ${routes.path.replaceAll('-', ' ')} in order`,
      access: 'team',
      body: orderInput,
      answer: {
        status: 200,
        description: 'All of them, in their new order',
        schema: z.object({ data: z.array(shape) }),
      },
      errors: [404],
      handle: (call) =>
        call.commit((tx) => {
          const { site, rows } = verbs.order(
            tx,
            call.ctx,
            siteName(call),
            (call.body as z.output<typeof orderInput>).ids,
          );
          return jsonReply(200, { data: rows.map((row) => visible(call, present(row, site, call))) });
        }),
    },
    {
      method: 'GET',
      path: `${base}/{id}`,
      id: `read${one}`,
      tag,
      summary: `Read a ${verbs.noun}`,
      access: 'team',
      hasEtag: true,
      answer: { status: 200, description: `The ${verbs.noun}`, schema: shapes.one(shape) },
      errors: [404],
      handle: (call) =>
        call.edge.desk.read((tx) => answer(call, 200, verbs.read(tx, call.ctx, siteName(call), rowId(call)))),
    },
    {
      method: 'PATCH',
      path: `${base}/{id}`,
      id: `update${one}`,
      tag,
      summary: `Change a ${verbs.noun}`,
      access: 'team',
      hasEtag: true,
      body: routes.change,
      answer: { status: 200, description: `The ${verbs.noun} as it is now`, schema: shapes.one(shape) },
      errors: [404, 409, 412],
      async handle(call) {
        await routes.before?.(call);
        return call.commit((tx) =>
          answer(call, 200, verbs.change(tx, call.ctx, siteName(call), rowId(call), call.body as Change, call.ifMatch)),
        );
      },
    },
    {
      method: 'DELETE',
      path: `${base}/{id}`,
      id: `delete${one}`,
      tag,
      summary: `Remove a ${verbs.noun}`,
      access: 'team',
      hasEtag: true,
      answer: { status: 204, description: 'Removed', schema: null },
      errors: [404, 409, 412],
      handle: (call) =>
        call.commit((tx) => {
          verbs.remove(tx, call.ctx, siteName(call), rowId(call), call.ifMatch);
          return emptyReply(204);
        }),
    },
  ];
}

const deleteSiteQuery = z.object({ confirm: z.string().max(64).optional().meta({ description: "The site's slug." }) });

export const agentSiteOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/api/v1/sites',
    id: 'listSites',
    tag: 'Sites',
    summary: 'List sites',
    access: 'team',
    query: pagingQuery,
    answer: { status: 200, description: wholeOrPage, schema: shapes.page(shapes.site) },
    handle(call) {
      const page = pageOrWhole(call.query as z.output<typeof pagingQuery>);
      const { rows, total } = call.edge.desk.read((tx) =>
        listVisibleSites(tx, call.ctx, page.perPage, (page.page - 1) * page.perPage),
      );
      return jsonReply(
        200,
        pageBody(
          call.edge.baseUrl,
          call.url,
          rows.map((site) => siteBody(call, site)),
          page,
          total,
        ),
      );
    },
  },
  {
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
        const { site, siteToken } = createSite(tx, call.ctx, call.body as SiteInput);
        return taggedReply(call, 201, { data: siteBody(call, site), site_token: siteToken }, siteEtag(site));
      }),
  },
  {
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
  },
  {
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
        const site = changeSite(tx, call.ctx, siteName(call), call.body as SiteChangeInput, call.ifMatch);
        return taggedReply(call, 200, { data: siteBody(call, site) }, siteEtag(site));
      }),
  },
  {
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
      const { confirm } = call.query as z.output<typeof deleteSiteQuery>;
      let files: string[] = [];
      const reply = await call.commit((tx) => {
        files = removeSite(tx, call.ctx, siteName(call), confirm ?? null, call.ifMatch);
        return emptyReply(204);
      });
      // What a crash leaves here, the sweep finds.
      for (const ulid of files) await call.edge.blobs.remove(ulid);
      return reply;
    },
  },
  {
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
        const grace = (call.body as z.output<typeof rotateInput>).grace_minutes ?? null;
        const { site, siteToken } = rotateSiteToken(tx, call.ctx, siteName(call), grace);
        return jsonReply(200, { data: siteBody(call, site), site_token: siteToken });
      }),
  },
  {
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
        const grace = (call.body as z.output<typeof rotateInput>).grace_minutes ?? null;
        const { site, inboundSecret } = rotateInboundSecret(tx, call.ctx, siteName(call), grace);
        return jsonReply(200, {
          data: siteBody(call, site),
          inbound_secret: inboundSecret,
          inbound_webhook_url: inboundWebhookUrl(call.edge.baseUrl, inboundSecret),
        });
      }),
  },
  {
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
      call.edge.desk.read((tx) => pageOfRows(call, listAssignableAgents(tx, call.ctx, siteName(call)), presentAgent)),
  },
  ...catalogueOperations({
    path: 'categories',
    tag: 'Categories',
    one: 'Category',
    many: 'Categories',
    verbs: categories,
    input: categoryInput,
    change: categoryChangeInput,
    shape: shapes.category,
    present: presentCategory,
  }),
  ...catalogueOperations({
    path: 'priorities',
    tag: 'Priorities',
    one: 'Priority',
    many: 'Priorities',
    verbs: priorities,
    input: priorityInput,
    change: priorityChangeInput,
    shape: shapes.priority,
    present: (priority, site) => presentPriority(priority, priority.id === site.defaultPriorityId),
  }),
  ...catalogueOperations({
    path: 'custom-fields',
    tag: 'Custom fields',
    one: 'CustomField',
    many: 'CustomFields',
    verbs: customFields,
    input: customFieldInput,
    change: customFieldChangeInput,
    shape: shapes.customField,
    present: presentCustomField,
  }),
];

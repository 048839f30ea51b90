// A successful call for every operation: the contract test, the matrix and the fuzzing start from these.

import { addAgent } from '../../src/desk/people.ts';
import { issueToken } from '../../src/desk/tokens.ts';
import { type Agent, agentById } from '../../src/store/agents.ts';
import type { TestApp } from '../support/app.ts';
import { addPasskey, addTotp, offeredPasskey, registrationOf } from '../support/factors.ts';
import { goodPassword, linkOf, mailedSecret, setupLink, withPassword } from '../support/people.ts';
import { codeAt } from '../support/totp-code.ts';
import { trustingIssuer } from '../support/trusting-issuer.ts';

export interface Step {
  params: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  form?: () => FormData;
  /** For calls that need a special caller. */
  headers?: Record<string, string>;
}

export function file(name = 'log.txt', content: string | Uint8Array = 'A line of the log'): FormData {
  const form = new FormData();
  form.append('file', new File([content as BlobPart], name));
  return form;
}

const mail =
  'From: Mia <mia@example.org>\r\nTo: shop@desk.example\r\nSubject: Hello\r\nMessage-ID: <m1@example.org>\r\n\r\nWhere is it?\r\n';

/** New rows for each call, so that calls do not affect each other. */
export async function stepFor(app: TestApp, id: string): Promise<Step> {
  const site = app.site.slug;
  const made = async (path: string, body: object) =>
    String((await app.asTeam('POST', `/api/v1/sites/${site}/${path}`, body)).json.data.id);
  const category = () =>
    made('categories', { name: `C${app.desk.store.dataVersion()}${Math.trunc(performance.now() * 1000)}` });
  const priority = () => made('priorities', { name: `P${Math.trunc(performance.now() * 1000)}` });
  const field = () =>
    made('custom-fields', { key: `f${Math.trunc(performance.now() * 1000)}`, label: 'Field', type: 'text' });
  const channel = (isActive = true) =>
    made('webhook-channels', {
      name: 'Hook',
      type: 'custom',
      webhook_url: 'https://hooks.example.org/x',
      events: ['ticket.created'],
      is_active: isActive,
    });
  const rule = () =>
    made('inbound-rules', {
      name: 'Rule',
      conditions: [{ field: 'subject', operator: 'contains', value: 'x' }],
      actions: [{ type: 'add_tags', value: ['x'] }],
    });
  /** Another order than the current one, of at least two. */
  const ids = async (path: string, add: () => Promise<string>) => {
    for (const _ of [1, 2]) await add();
    const rows = (await app.asTeam('GET', `/api/v1/sites/${site}/${path}?per_page=100`)).json.data;
    return rows.map((row: { id: number }) => row.id).toReversed();
  };
  const thread = async () => {
    const { ulid, accessToken } = await app.open();
    return { params: { ulid }, query: { access_token: accessToken } };
  };
  const ticket = async () => ({ params: { ticket: (await app.open()).ulid } });
  const inboundLog = async () => {
    const sent = await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, {
      body: mail.replace('From: Mia <mia@example.org>\r\n', ''),
    });
    if (sent.status !== 200) throw new Error(sent.text);
    const rows = await app.asTeam('GET', `/api/v1/sites/${site}/inbound-mail`);
    return { site, id: String(rows.json.data[0].id) };
  };
  const context = () => app.desk.context({ kind: 'command_line' }, 'walk');
  const agentInput = () => ({
    email: `agent${Math.trunc(performance.now() * 1000)}@agents.example`,
    name: 'Ann',
    sites: [app.site.id],
  });
  const agent = async () => {
    const { id } = await app.desk.write((tx) => addAgent(tx, context(), agentInput()));
    return { params: { id: String(id) } };
  };
  const tokenInput = () => ({ name: 'Reports', abilities: ['read' as const], site_id: app.site.id });
  const token = async () => {
    const issued = await app.desk.write((tx) => issueToken(tx, context(), tokenInput()));
    return { params: { id: String(issued.token.id) } };
  };
  switch (id) {
    case 'getConfig':
    case 'listTickets':
    case 'listSites':
    case 'listEvents':
    case 'listAudit':
    case 'listAgents':
    case 'listTokens':
    case 'readDesk':
    case 'readDocument':
    case 'readReference':
      return { params: {} };
    case 'createTicketFromApplication':
      return { params: {}, body: { email: 'mia@example.org', subject: 'Hello', message: 'World' } };
    case 'readThread':
      return thread();
    case 'replyAsCustomer':
      return { ...(await thread()), body: { body: 'More.' } };
    case 'attachAsCustomer':
      return { ...(await thread()), form: () => file() };
    case 'createTicket':
      return {
        params: {},
        body: { site_id: app.site.id, email: 'mia@example.org', subject: 'Hello', message: 'World' },
      };
    case 'readTicket':
    case 'explainSla':
      return ticket();
    case 'updateTicket':
      return { ...(await ticket()), body: { status: 'pending', tags: ['billing'] } };
    case 'replyAsAgent':
      return { ...(await ticket()), body: { body: 'Here you are.', agent_id: app.agentId } };
    case 'addNote':
      return { ...(await ticket()), body: { body: 'Seen.' } };
    case 'attachAsAgent':
      return { ...(await ticket()), form: () => file() };
    case 'mergeTickets':
      return { ...(await ticket()), body: { into: (await app.open()).ulid } };
    case 'anonymiseAuthor': {
      const email = `gone${Math.trunc(performance.now() * 1000)}@example.org`;
      await app.open({ email });
      return { params: {}, body: { site_id: app.site.id, email } };
    }
    case 'createAgent':
      return { params: {}, body: agentInput() };
    case 'readAgent':
    case 'inviteAgent':
    case 'deleteAgent':
    case 'resetSecondFactor':
      return agent();
    case 'updateAgent':
      return { ...(await agent()), body: { name: 'Anna' } };
    case 'issueToken':
      return { params: {}, body: tokenInput() };
    case 'updateToken':
      return { ...(await token()), body: { name: 'Other' } };
    case 'revokeToken':
      return token();
    case 'updateDesk':
      return { params: {}, body: { name: `Desk ${Math.trunc(performance.now() * 1000)}` } };
    case 'createSite':
      return { params: {}, body: { name: 'Third shop' } };
    case 'readSite':
    case 'revealInboundUrl':
    case 'listSiteAgents':
      return { params: { site } };
    case 'updateSite':
      return { params: { site }, body: { description: 'New words' } };
    case 'deleteSite': {
      const made = await app.asTeam('POST', '/api/v1/sites', { name: 'Short lived' });
      return { params: { site: made.json.data.slug }, query: { confirm: made.json.data.slug } };
    }
    case 'rotateSiteToken':
    case 'rotateInboundSecret':
      return {
        params: { site: (await app.asTeam('POST', '/api/v1/sites', { name: 'Turned over' })).json.data.slug },
        body: { grace_minutes: 5 },
      };
    case 'recomputeSla':
      return { params: { site }, body: { dry_run: true } };
    case 'listCategories':
    case 'listPriorities':
    case 'listCustomFields':
    case 'listWebhookChannels':
    case 'listInboundRules':
    case 'listInboundMail':
      return { params: { site } };
    case 'createCategory':
      return { params: { site }, body: { name: 'Billing' } };
    case 'createPriority':
      return { params: { site }, body: { name: 'Critical', first_response_minutes: 10 } };
    case 'createCustomField':
      return {
        params: { site },
        body: { key: `k${Math.trunc(performance.now() * 1000)}`, label: 'Order', type: 'text' },
      };
    case 'createWebhookChannel':
      return {
        params: { site },
        body: { name: 'Hook', type: 'custom', webhook_url: 'https://hooks.example.org/x', events: ['ticket.created'] },
      };
    case 'createInboundRule':
      return {
        params: { site },
        body: { name: 'Rule', conditions: [], actions: [{ type: 'add_tags', value: ['x'] }] },
      };
    case 'orderCategories':
      return { params: { site }, body: { ids: await ids('categories', category) } };
    case 'orderPriorities':
      return { params: { site }, body: { ids: await ids('priorities', priority) } };
    case 'orderCustomFields':
      return { params: { site }, body: { ids: await ids('custom-fields', field) } };
    case 'orderWebhookChannels':
      return { params: { site }, body: { ids: await ids('webhook-channels', channel) } };
    case 'orderInboundRules':
      return { params: { site }, body: { ids: await ids('inbound-rules', rule) } };
    case 'readCategory':
    case 'deleteCategory':
      return { params: { site, id: await category() } };
    case 'updateCategory':
      return { params: { site, id: await category() }, body: { color: '#112233' } };
    case 'readPriority':
    case 'deletePriority':
      return { params: { site, id: await priority() } };
    case 'updatePriority':
      return { params: { site, id: await priority() }, body: { level: 7 } };
    case 'readCustomField':
    case 'deleteCustomField':
      return { params: { site, id: await field() } };
    case 'updateCustomField':
      return { params: { site, id: await field() }, body: { label: 'Other' } };
    case 'readWebhookChannel':
    case 'deleteWebhookChannel':
    case 'listDeliveries':
    case 'testChannel':
      return { params: { site, id: await channel() } };
    case 'updateWebhookChannel':
      return { params: { site, id: await channel() }, body: { name: 'Other' } };
    case 'rotateSigningSecret':
      return { params: { site, id: await channel() }, body: {} };
    case 'redeliver': {
      const id = await channel();
      const queued = await app.asTeam('POST', `/api/v1/sites/${site}/webhook-channels/${id}/test`);
      const delivery = String(queued.json.data.id);
      app.desk.store.writing.client.run("UPDATE deliveries SET status = 'failed' WHERE id = ?", [Number(delivery)]);
      return { params: { site, id, delivery } };
    }
    case 'readInboundRule':
    case 'deleteInboundRule':
      return { params: { site, id: await rule() } };
    case 'updateInboundRule':
      return { params: { site, id: await rule() }, body: { name: 'Other' } };
    case 'testInboundRules':
      return { params: { site }, body: { raw: mail } };
    case 'receiveMail':
      return { params: { provider: 'raw', secret: app.inboundSecret }, body: mail };
    case 'readInboundMail':
    case 'replayInboundMail':
      return { params: await inboundLog() };
    case 'downloadAttachment': {
      const { ulid, accessToken } = await app.open();
      const sent = await app.asSite(
        'POST',
        `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`,
        file(),
      );
      const url = new URL(sent.json.attachment.url);
      return { params: { ulid: sent.json.attachment.ulid }, query: Object.fromEntries(url.searchParams) };
    }
    case 'offerTotp':
    case 'listPasskeys':
      return { params: {} };
    case 'confirmTotp': {
      const { headers } = await app.person('member');
      const offered = await app.ask('POST', '/api/v1/me/totp', { headers });
      return { params: {}, headers, body: { code: codeAt(offered.json.data.secret, app.clock.now()) } };
    }
    case 'removeTotp':
    case 'renewRecoveryCodes':
      return { params: {}, headers: (await addTotp(app, (await app.person('member')).headers)).headers };
    case 'addPasskey': {
      const { headers } = await app.person('member');
      return { params: {}, headers, body: registrationOf(await offeredPasskey(app, headers)).body };
    }
    case 'signInAtIssuer':
      return { params: {} };
    case 'returnFromIssuer': {
      const { email } = app.desk.read((tx) => agentById(tx, app.agentId) as Agent);
      app.edge.signIn.oidc = trustingIssuer(email);
      const gone = await app.ask('GET', '/api/v1/auth/oidc');
      return { params: {}, headers: { Cookie: gone.headers.getSetCookie()[0]?.split(';')[0] ?? '' } };
    }
    case 'askForPasskey':
      return { params: {}, body: {} };
    case 'answerChallenge': {
      const { answer } = await addPasskey(app, (await app.person('member')).headers);
      const asked = (await app.ask('POST', '/api/v1/session/passkey', { body: {} })).json;
      return { params: {}, body: { challenge: asked.challenge, code: answer(asked.options) } };
    }
    case 'removePasskey': {
      const first = await addPasskey(app, (await app.person('member')).headers);
      const { headers } = await addPasskey(app, first.headers);
      return { params: { id: String(first.id) }, headers };
    }
    case 'readSignIn':
      return { params: {} };
    case 'signIn': {
      const { email } = await withPassword(app, 'member');
      return { params: {}, body: { email, password: goodPassword } };
    }
    case 'signInWithLink':
      return { params: {}, body: { token: await linkOf(app, 'sign_in', (await app.person('member')).agentId) } };
    case 'readSession':
    case 'readOwnAccount':
    case 'listOwnSessions':
      return { params: {}, headers: (await app.person('viewer')).headers };
    case 'confirmSession': {
      const { headers } = await withPassword(app, 'viewer');
      return { params: {}, headers, body: { password: goodPassword } };
    }
    case 'signOut':
      return { params: {}, headers: (await app.person('viewer')).headers };
    case 'endOtherSessions': {
      const { agentId, headers } = await app.person('viewer');
      await app.signIn(agentId);
      return { params: {}, headers };
    }
    case 'endOwnSession': {
      const { agentId, headers } = await app.person('viewer');
      return { params: { id: String((await app.signIn(agentId)).sessionId) }, headers };
    }
    case 'updateOwnAccount':
      return { params: {}, headers: (await app.person('viewer')).headers, body: { name: 'Another name' } };
    case 'changeOwnPassword': {
      const { headers } = await withPassword(app, 'viewer');
      return { params: {}, headers, body: { current: goodPassword, password: 'quiet river 81 basket' } };
    }
    case 'setUp': {
      const email = `first${Math.trunc(performance.now() * 1000)}@agents.example`;
      return { params: {}, body: { token: await setupLink(app), email, name: 'First', password: goodPassword } };
    }
    case 'readInvitation':
      return { params: { token: await linkOf(app, 'invitation', (await app.person('member')).agentId) } };
    case 'acceptInvitation': {
      const token = await linkOf(app, 'invitation', (await app.person('member')).agentId);
      return { params: {}, body: { token, name: 'Kim', password: goodPassword } };
    }
    case 'requestPasswordReset':
      return { params: {}, body: { email: 'kim@agents.example' } };
    case 'resetPassword': {
      const { email } = await withPassword(app, 'member');
      await app.ask('POST', '/api/v1/password-resets', { body: { email } });
      await app.desk.write(() => null);
      return { params: {}, body: { token: mailedSecret(app, 'mail.password_reset'), password: goodPassword } };
    }
    default:
      if (id.startsWith('readDocs_')) return { params: {} };
      throw new Error(`no call is known for ${id}`);
  }
}

export function pathOf(path: string, { params, query = {} }: Step): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

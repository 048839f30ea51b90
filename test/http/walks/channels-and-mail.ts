// Calls about webhook channels, inbound rules and inbound mail.

import type { InboundOutcome } from '../../../src/domain/mail/inbound.ts';
import type { TestApp } from '../../support/app.ts';
import { catalogueOf } from './sites.ts';
import { each, inOwnFrame, type Walks } from './step.ts';

const mail =
  'From: Mia <mia@example.org>\r\nTo: shop@desk.example\r\nSubject: Hello\r\nMessage-ID: <m1@example.org>\r\n\r\nWhere is it?\r\n';

export function channelAndMailWalks(app: TestApp): Walks {
  const { site, made, ids } = catalogueOf(app);
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
  const trigger = () =>
    made('triggers', { name: 'Trigger', on: ['created'], actions: [{ type: 'add_tags', value: ['x'] }] });
  const timedBody = {
    ...{ name: 'Timed', since: 'created', minutes: 60, actions: [{ type: 'add_tags', value: ['x'] }] },
  };
  const timed = () => made('timed-rules', timedBody);
  const recurringBody = {
    ...{ name: 'Weekly', schedule: '0 9 * * 1' },
    ticket: { email: 'ops@example.org', subject: 'Check', message: 'The backups.' },
  };
  const recurring = () => made('recurring-tickets', recurringBody);
  const inboundLog = async (outcome?: InboundOutcome, body = mail) => {
    const sent = await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, {
      body: body.replace('From: Mia <mia@example.org>\r\n', ''),
    });
    if (sent.status !== 200) throw new Error(sent.text);
    const rows = await app.asTeam('GET', `/api/v1/sites/${site}/inbound-mail`);
    const id = String(rows.json.data[0].id);
    if (outcome !== undefined)
      app.desk.store.writing.client.run("UPDATE inbound_mail SET outcome = ?, held_for = 'other' WHERE id = ?", [
        outcome,
        Number(id),
      ]);
    return { site, id };
  };
  return {
    createWebhookChannel: () => ({
      params: { site },
      body: { name: 'Hook', type: 'custom', webhook_url: 'https://hooks.example.org/x', events: ['ticket.created'] },
    }),
    createInboundRule: () => ({
      params: { site },
      body: { name: 'Rule', conditions: [], actions: [{ type: 'add_tags', value: ['x'] }] },
    }),
    createTrigger: () => ({
      params: { site },
      body: { name: 'Trigger', on: ['created'], actions: [{ type: 'add_tags', value: ['x'] }] },
    }),
    orderTriggers: async () => ({ params: { site }, body: { ids: await ids('triggers', trigger) } }),
    ...each(['readTrigger', 'deleteTrigger', 'listTriggerRuns'], async () => ({
      params: { site, id: await trigger() },
    })),
    updateTrigger: async () => ({ params: { site, id: await trigger() }, body: { name: 'Other' } }),
    createTimedRule: () => ({ params: { site }, body: timedBody }),
    orderTimedRules: async () => ({ params: { site }, body: { ids: await ids('timed-rules', timed) } }),
    ...each(['readTimedRule', 'deleteTimedRule', 'listTimedRuleRuns'], async () => ({
      params: { site, id: await timed() },
    })),
    updateTimedRule: async () => ({ params: { site, id: await timed() }, body: { name: 'Other' } }),
    createRecurringTicket: () => ({ params: { site }, body: recurringBody }),
    orderRecurringTickets: async () => ({ params: { site }, body: { ids: await ids('recurring-tickets', recurring) } }),
    ...each(['readRecurringTicket', 'deleteRecurringTicket', 'listRecurringTicketRuns'], async () => ({
      params: { site, id: await recurring() },
    })),
    updateRecurringTicket: async () => ({ params: { site, id: await recurring() }, body: { name: 'Other' } }),
    orderWebhookChannels: async () => ({ params: { site }, body: { ids: await ids('webhook-channels', channel) } }),
    orderInboundRules: async () => ({ params: { site }, body: { ids: await ids('inbound-rules', rule) } }),
    ...each(['readWebhookChannel', 'deleteWebhookChannel', 'listDeliveries', 'testChannel'], async () => ({
      params: { site, id: await channel() },
    })),
    updateWebhookChannel: async () => ({ params: { site, id: await channel() }, body: { name: 'Other' } }),
    rotateSigningSecret: async () => ({ params: { site, id: await channel() }, body: {} }),
    redeliverFailed: async () => ({
      params: { site, id: await channel() },
      body: { since: '2026-01-01T00:00:00Z' },
    }),
    retryOutbox: () => ({ params: {}, body: { status: 'queued' } }),
    retryOutgoing: async () => {
      const { id } = (await app.asTeam('POST', `/api/v1/sites/${site}/webhook-channels/${await channel()}/test`)).json
        .data;
      return { params: { id: String(id) } };
    },
    redeliver: async () => {
      const id = await channel();
      const queued = await app.asTeam('POST', `/api/v1/sites/${site}/webhook-channels/${id}/test`);
      const delivery = String(queued.json.data.id);
      app.desk.store.writing.client.run("UPDATE deliveries SET status = 'failed' WHERE id = ?", [Number(delivery)]);
      return { params: { site, id, delivery } };
    },
    ...each(['readInboundRule', 'deleteInboundRule', 'listInboundRuleTickets'], async () => ({
      params: { site, id: await rule() },
    })),
    updateInboundRule: async () => ({ params: { site, id: await rule() }, body: { name: 'Other' } }),
    testInboundRules: () => ({ params: { site }, body: { raw: mail } }),
    receiveMail: () => ({ params: { provider: 'raw', secret: app.inboundSecret }, body: mail }),
    countHeldMail: async () => ({ params: { site: (await inboundLog()).site } }),
    ...each(['releaseHeldMail', 'discardHeldMail'], async () => {
      await inboundLog('held');
      const { newest_id, reasons } = (await app.asTeam('GET', `/api/v1/sites/${site}/held-mail`)).json.data;
      const count = reasons.reduce((sum: number, each: { count: number }) => sum + each.count, 0);
      return { params: { site }, body: { up_to: newest_id, count } };
    }),
    holdDiscardedMail: async () => {
      const { id } = await inboundLog('discarded');
      return { params: { site }, body: { ids: [Number(id)] } };
    },
    discardInboundMail: async () => ({ params: await inboundLog('held') }),
    holdInboundMail: async () => ({ params: await inboundLog('discarded') }),
    showInboundMessage: async () => ({
      params: await inboundLog(undefined, mail.replace('\r\n\r\n', '\r\nContent-Type: text/html\r\n\r\n')),
      headers: inOwnFrame,
    }),
    ...each(['readOriginal', 'downloadOriginal'], async () => {
      const { json } = await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, { body: mail });
      const thread = await app.asTeam('GET', `/api/v1/tickets/${json.ticket}`);
      return { params: { ticket: json.ticket, message: thread.json.data.messages.at(-1).ulid } };
    }),
    downloadInboundFile: async () => ({
      params: {
        ...(await inboundLog(
          undefined,
          mail.replace(
            '\r\n\r\n',
            '\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n',
          ),
        )),
        file: '0',
      },
    }),
    readSpamFilter: async () => ({ params: {} }),
    traceMail: async () => {
      await inboundLog();
      return { params: {}, query: { q: 'm1@example.org' } };
    },
    ...each(['readInboundMail', 'replayInboundMail', 'readInboundMessage'], async () => ({
      params: await inboundLog(),
    })),
  };
}

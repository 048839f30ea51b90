// Calls about webhook channels, inbound rules and inbound mail.

import type { InboundOutcome } from '../../../src/domain/inbound.ts';
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
  const inboundLog = async (outcome?: InboundOutcome, body = mail) => {
    const sent = await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, {
      body: body.replace('From: Mia <mia@example.org>\r\n', ''),
    });
    if (sent.status !== 200) throw new Error(sent.text);
    const rows = await app.asTeam('GET', `/api/v1/sites/${site}/inbound-mail`);
    const id = String(rows.json.data[0].id);
    if (outcome !== undefined)
      app.desk.store.writing.client.run('UPDATE inbound_mail SET outcome = ? WHERE id = ?', [outcome, Number(id)]);
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
    orderWebhookChannels: async () => ({ params: { site }, body: { ids: await ids('webhook-channels', channel) } }),
    orderInboundRules: async () => ({ params: { site }, body: { ids: await ids('inbound-rules', rule) } }),
    ...each(['readWebhookChannel', 'deleteWebhookChannel', 'listDeliveries', 'testChannel'], async () => ({
      params: { site, id: await channel() },
    })),
    updateWebhookChannel: async () => ({ params: { site, id: await channel() }, body: { name: 'Other' } }),
    rotateSigningSecret: async () => ({ params: { site, id: await channel() }, body: {} }),
    redeliver: async () => {
      const id = await channel();
      const queued = await app.asTeam('POST', `/api/v1/sites/${site}/webhook-channels/${id}/test`);
      const delivery = String(queued.json.data.id);
      app.desk.store.writing.client.run("UPDATE deliveries SET status = 'failed' WHERE id = ?", [Number(delivery)]);
      return { params: { site, id, delivery } };
    },
    ...each(['readInboundRule', 'deleteInboundRule'], async () => ({ params: { site, id: await rule() } })),
    updateInboundRule: async () => ({ params: { site, id: await rule() }, body: { name: 'Other' } }),
    testInboundRules: () => ({ params: { site }, body: { raw: mail } }),
    receiveMail: () => ({ params: { provider: 'raw', secret: app.inboundSecret }, body: mail }),
    discardInboundMail: async () => ({ params: await inboundLog('held') }),
    holdInboundMail: async () => ({ params: await inboundLog('discarded') }),
    showInboundMessage: async () => ({
      params: await inboundLog(undefined, mail.replace('\r\n\r\n', '\r\nContent-Type: text/html\r\n\r\n')),
      headers: inOwnFrame,
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
    ...each(['readInboundMail', 'replayInboundMail', 'readInboundMessage'], async () => ({
      params: await inboundLog(),
    })),
  };
}

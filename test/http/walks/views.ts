// Calls about views of the ticket list.

import { unsubscribeTokenOf } from '../../../src/desk/notifications/unsubscribe.ts';
import type { TestApp } from '../../support/app.ts';
import { unique, type Walks } from './step.ts';

export function viewWalks(app: TestApp): Walks {
  const body = () => ({ name: `Urgent ${unique()}`, filter: { status: ['open'], site_id: app.site.id } });
  const saved = async () => {
    const { headers } = await app.person('owner');
    const answer = await app.ask('POST', '/api/v1/views', { headers, body: { ...body(), is_shared: true } });
    return { id: Number(answer.json.data.id), headers };
  };
  const view = async () => {
    const { id, headers } = await saved();
    return { params: { id: String(id) }, headers };
  };
  return {
    updateNotificationPreferences: () => ({ params: {}, body: { events: { assigned: { mail: false } } } }),
    unsubscribe: async () => {
      const { agentId } = await app.person('member');
      return { params: { token: unsubscribeTokenOf(app.desk.context({ kind: 'desk' }, 'walk'), agentId, 'assigned') } };
    },
    openUnsubscribe: () => ({ params: { token: 'any' } }),
    readNotifications: () => ({ params: {}, body: { up_to: 1 } }),
    createView: () => ({ params: {}, body: body() }),
    updateView: async () => ({ ...(await view()), body: { name: 'Other' } }),
    deleteView: view,
    orderViews: async () => {
      const { id, headers } = await saved();
      return { params: {}, headers, body: { order: [id] } };
    },
  };
}

// Sends a test event and waits for what becomes of it: the desk makes one attempt.

import type { Answer } from '../../../shared/api.ts';
import { ask } from '../../../shared/signed-in.ts';
import type { Delivery } from './wire.ts';

const askAgainMs = 500;
/** Together longer than a receiver may take (HELPDESK_WEBHOOK_TIMEOUT). */
const mostAsked = 60;

/** Still queued if the desk has not come to it. */
export async function testChannel(path: string): Promise<Answer<Delivery>> {
  const queued = await ask<{ data: Delivery }>('POST', `${path}/test`);
  if (!queued.isOk) return queued;
  const { data } = queued.data;
  for (let asked = 0; asked < mostAsked; asked += 1) {
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    const log = await ask<{ data: Delivery[] }>('GET', `${path}/deliveries?per_page=25`);
    if (!log.isOk) return log;
    const found = log.data.data.find(({ id }) => id === data.id);
    if (found !== undefined && found.status !== 'queued') return { ...log, data: found };
  }
  return { ...queued, data };
}

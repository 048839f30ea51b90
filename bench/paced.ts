// Opens tickets at an even pace, and reports how long each took. Runs as a separate process.

import { ticketBody } from './fill.ts';

const { url, siteToken, perSecond, ms } = (await Bun.stdin.json()) as {
  url: string;
  siteToken: string;
  perSecond: number;
  ms: number;
};
const opened: { ulid: string; answeredAt: number; tookMs: number }[] = [];
const under: Promise<void>[] = [];
const begun = performance.now();
const total = Math.floor((perSecond * ms) / 1000);

async function open(number: number): Promise<void> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
    body: ticketBody(`${number}`, `paced${number}`),
  });
  const answeredAt = performance.now();
  if (response.status !== 201) throw new Error(`answered ${response.status}: ${await response.text()}`);
  const { ticket } = (await response.json()) as { ticket: { ulid: string } };
  opened.push({ ulid: ticket.ulid, answeredAt: performance.timeOrigin + answeredAt, tookMs: answeredAt - startedAt });
}

await Promise.all([open(-1), open(-2)]);
opened.length = 0;
for (let number = 0; number < total; number += 1) {
  const wait = begun + (number * 1000) / perSecond - performance.now();
  if (wait > 0) await Bun.sleep(wait);
  under.push(open(number));
}
await Promise.all(under);
console.log(JSON.stringify(opened));

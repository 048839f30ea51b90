// Prints what a storm costs: 10,000 messages on 200 tickets that 100 agents follow, ten each. How many mails wait then, and how much slower tickets are created meanwhile, by the processor time of the whole process.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '../migrations/index.ts';
import { createSeal } from '../src/base/crypto.ts';
import { createDesk } from '../src/desk/desk.ts';
import { addAgent } from '../src/desk/people/agents.ts';
import { createSite } from '../src/desk/sites/sites.ts';
import { changeTicket } from '../src/desk/tickets/change-ticket.ts';
import { replyAsCustomer } from '../src/desk/tickets/replies.ts';
import { openTicket } from '../src/desk/tickets/tickets.ts';
import { ingestTicketInput } from '../src/domain/input/tickets.ts';
import { openStore } from '../src/engine/database.ts';
import { migrate } from '../src/engine/migrate.ts';
import { authorById } from '../src/store/customers/authors.ts';
import { followUnlessDecided } from '../src/store/notifications/followers.ts';
import { siteById } from '../src/store/sites/sites.ts';
import { ticketById } from '../src/store/tickets/tickets.ts';
import { fixedClock } from '../test/support/clock.ts';

const messages = Number(process.argv[2] ?? 10_000);
const tickets = 200;
const agents = 100;
const followersEach = 10;
const messagesPerCreate = 10;
const stormMs = 600_000;
const folder = mkdtempSync(join(tmpdir(), 'helpdesk-bench-'));
const store = openStore(join(folder, 'helpdesk.db'), 'FULL');
const clock = fixedClock(Date.UTC(2026, 8, 7, 7));
const desk = createDesk(store, createSeal(Buffer.alloc(32, 1)), clock);
migrate(store.writing, migrations, clock.now());

const write = <T>(step: Parameters<typeof desk.write<T>>[0]) => desk.write(step);
const contextOf = () => desk.context({ kind: 'command_line' }, 'bench');
const site = await write((tx) => createSite(tx, contextOf(), { name: 'Shop', settings: { acknowledge: false } }).site);
const people: number[] = [];
for (let n = 0; n < agents; n += 1) {
  const input = { email: `agent${n}@desk.example`, name: `Agent ${n}`, role: 'member' } as const;
  people.push((await write((tx) => addAgent(tx, contextOf(), input))).id);
}

async function create(n: number): Promise<number> {
  const words = { subject: 'Bench', message: 'It does not work.' };
  const input = ingestTicketInput.parse({ email: `mia${n}@example.org`, ...words });
  return await write((tx) => {
    const ctx = desk.context({ kind: 'application', siteId: site.id }, 'bench');
    return openTicket(tx, ctx, siteById(tx, site.id) ?? site, input).ticket.id;
  });
}

/** Processor time in microseconds. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const stormy: number[] = [];
for (let n = 0; n < tickets; n += 1) {
  const id = await create(n);
  stormy.push(id);
  await write((tx) => {
    changeTicket(tx, contextOf(), id, { assigned_to: people[n % agents] ?? null }, null);
    for (let k = 1; k <= followersEach; k += 1)
      followUnlessDecided(tx, id, people[(n + k * 7) % agents] ?? 0, clock.now());
    return null;
  });
}
// What the new tickets themselves cause is over, and the code is warm.
clock.advance(3_600_000);
const creates = messages / messagesPerCreate;
let made = tickets;
const createOne = async () => {
  made += 1;
  await create(made);
};
for (let n = 0; n < creates; n += 1) await createOne();
let quiet = 0;
for (let n = 0; n < creates; n += 1) quiet += await costOf(createOne);

const count = (sql: string) => store.writing.client.query<{ n: number }, []>(sql).get()?.n ?? 0;
const mailsBefore = count('SELECT count(*) AS n FROM deliveries');
let inStorm = 0;
let said = 0;
for (let n = 0; n < messages; n += 1) {
  clock.advance(stormMs / messages);
  said += await costOf(() =>
    write((tx) => {
      const ticket = ticketById(tx, stormy[n % tickets] ?? 0);
      const author = ticket && authorById(tx, ticket.authorId);
      if (!ticket || !author) throw new Error('a ticket of the storm is gone');
      return replyAsCustomer(tx, contextOf(), ticket, author, { body: `Still not, ${n}.` });
    }),
  );
  if (n % messagesPerCreate === 0) inStorm += await costOf(createOne);
}

const told = count("SELECT count(*) AS n FROM notifications WHERE kind = 'customer_replied'");
const mails = count('SELECT count(*) AS n FROM deliveries') - mailsBefore;
console.log(`${messages} messages, ${told} notifications, ${mails} mails (${(told / mails).toFixed(1)} in each)`);
console.log(`a message: ${(said / messages).toFixed(0)} µs of processor time`);
console.log(
  `a create: ${(quiet / creates).toFixed(0)} µs before, ${(inStorm / creates).toFixed(0)} µs in the storm, ratio ${(inStorm / quiet).toFixed(2)}`,
);
store.close();
rmSync(folder, { recursive: true, force: true });

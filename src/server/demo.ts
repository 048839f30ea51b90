// Demo data: a site, its agents and four weeks of tickets, written with the same verbs as real data.

import { categories } from '../desk/catalogue/categories.ts';
import { changeTicket } from '../desk/change-ticket.ts';
import type { Context } from '../desk/context.ts';
import type { Desk } from '../desk/desk.ts';
import { addAgent } from '../desk/people.ts';
import { addNote, replyAsAgent, replyAsCustomer } from '../desk/replies.ts';
import { createSite } from '../desk/sites.ts';
import { openTicket } from '../desk/tickets.ts';
import { issueToken } from '../desk/tokens.ts';
import type { Actor } from '../domain/actor.ts';
import { hourMs } from '../domain/instant.ts';
import { type Agent, agentByEmail } from '../store/agents.ts';
import type { Tx } from '../store/database.ts';
import { discardOutbox } from '../store/outbox.ts';
import { authorById } from '../store/people.ts';
import { categoryRows, priorityRows } from '../store/site-catalogue.ts';
import { ticketById } from '../store/tickets.ts';

interface DemoSecrets {
  siteToken: string;
  teamToken: string;
  tickets: number;
}

const people = [
  ['Mia Jansen', 'mia@example.org'],
  ['Tomás Ortega', 'tomas@example.net'],
  ['Aiko Tanaka', 'aiko@example.com'],
  ['Grace Okafor', 'grace@example.org'],
  ['Lars Nyström', 'lars@example.net'],
  ['Priya Nair', 'priya@example.com'],
  ['Émile Laurent', 'emile@example.org'],
  ['Sofia Rossi', 'sofia@example.net'],
] as const;

const stories = [
  {
    subject: 'The invoice of last month is missing',
    message: 'I cannot find the invoice for last month in my account. Could you send it again?',
    category: 'Billing',
    tags: ['invoice'],
    answer: 'I have sent it again. It had gone to your old address, which I have now updated.',
    thanks: 'Got it, thank you!',
    note: 'The old address was still in the billing contact.',
  },
  {
    subject: 'I was charged twice',
    message: 'My card shows two payments for the same order.',
    category: 'Billing',
    tags: ['refund'],
    answer: 'The second payment was only a reservation and has been released. It will disappear within three days.',
    thanks: 'It has already disappeared.',
    note: 'Known behaviour of the payment provider after a timeout.',
  },
  {
    subject: 'Cannot save my settings',
    message: 'The save button has done nothing since this morning. The console shows an error about a missing field.',
    category: 'Technical',
    tags: ['bug'],
    answer: 'We have found the bug and fixed it. Please reload the page.',
    thanks: 'Works again.',
    note: 'Introduced with the new form; covered by a test now.',
  },
  {
    subject: 'The app logs me out every hour',
    message: 'On my phone I have to sign in again and again.',
    category: 'Technical',
    tags: ['ios'],
    answer: 'Which version of the app do you use? You can find it under Settings, About.',
    thanks: 'It is 4.1.7.',
    note: 'Tokens are refreshed too late on 4.1.x.',
  },
  {
    subject: 'How do I change my plan?',
    message: 'I would like to go from the small plan to the big one in the middle of the month.',
    category: 'General',
    tags: ['sales'],
    answer: 'You can do so under Account, Plan; only the difference is charged.',
    thanks: 'Easy, thanks.',
    note: 'Might want the yearly plan.',
  },
  {
    subject: 'Delivery came without the cable',
    message: 'The parcel arrived today, but the charging cable is not in it.',
    category: 'General',
    tags: ['shipping'],
    answer: 'Sorry about that! A cable is on its way to you and should arrive in two days.',
    thanks: 'It arrived.',
    note: 'Third one this week. I told the warehouse.',
  },
] as const;

const ticketCount = 60;

/** Fills an empty desk. The tickets are the same each time; their times are relative to now. */
const ownerEmail = 'noor@demo-shop.example';

export function demoOwner(tx: Tx): Agent | undefined {
  const agent = agentByEmail(tx, ownerEmail);
  return agent?.isActive && agent.role === 'owner' ? agent : undefined;
}

export async function fillDemo(desk: Desk): Promise<DemoSecrets> {
  const now = desk.now();
  const at = (moment: number, actor: Actor): Context => ({ ...desk.context(actor, 'demo'), now: moment });
  const commandLine: Actor = { kind: 'command_line' };
  return await desk.write((tx) => {
    const begun = now - 28 * 24 * hourMs;
    const setUp = at(begun, commandLine);
    const { site, siteToken } = createSite(tx, setUp, {
      name: 'Demo shop',
      slug: 'demo-shop',
      description: 'A shop that exists only here.',
      sla_policy: {
        business_hours: {
          timezone: 'Europe/Amsterdam',
          weekly: Object.fromEntries(
            ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [
              day,
              [
                ['09:00', '12:30'],
                ['13:00', '17:30'],
              ],
            ]),
          ),
        },
      },
    });
    const agents = [
      addAgent(tx, setUp, { name: 'Noor Visser', email: ownerEmail, role: 'owner' }),
      addAgent(tx, setUp, { name: 'Ben Adler', email: 'ben@demo-shop.example', role: 'admin' }),
      addAgent(tx, setUp, { name: 'Kim Sato', email: 'kim@demo-shop.example', role: 'member' }),
    ];
    for (const name of ['Billing', 'Technical']) categories.add(tx, setUp, site.slug, { name });
    const categoryIds = new Map(categoryRows.list(tx, site.id).map(({ id, name }) => [name, id]));
    const priorities = priorityRows.list(tx, site.id);
    for (let index = 0; index < ticketCount; index += 1) {
      const story = stories[index % stories.length];
      const person = people[(index * 5) % people.length];
      const agent = agents[index % agents.length];
      if (!story || !person || !agent) continue;
      const [name, email] = person;
      const openedAt = Math.round(begun + ((index + 1) * (now - begun)) / (ticketCount + 1));
      const application: Actor = { kind: 'application', siteId: site.id };
      const { ticket } = openTicket(tx, at(openedAt, application), site, {
        email,
        name,
        subject: story.subject,
        message: story.message,
        category_id: categoryIds.get(story.category) ?? null,
        priority_id: priorities[index % 7 === 0 ? 3 : index % 3]?.id ?? null,
        tags: [...story.tags],
        context: {
          source: 'web',
          app: { name: 'shop', version: `4.${index % 4}.0` },
          user: { external_id: `customer-${(index * 5) % people.length}`, plan: index % 2 ? 'pro' : 'free' },
        },
      });
      const answeredAt = openedAt + ((index % 5) + 1) * hourMs;
      if (answeredAt > now - hourMs) continue;
      const agentAt = (moment: number) => at(moment, commandLine);
      changeTicket(tx, agentAt(answeredAt - hourMs / 2), ticket.id, { assigned_to: agent.id }, null);
      if (index % 3 === 0)
        addNote(tx, agentAt(answeredAt - 60_000), ticket.id, { body: story.note, agent_name: agent.name });
      replyAsAgent(tx, agentAt(answeredAt), ticket.id, {
        body: story.answer,
        agent_id: agent.id,
        status: index % 4 === 1 ? 'pending' : null,
      });
      const thankedAt = answeredAt + 3 * hourMs;
      const thread = ticketById(tx, ticket.id);
      const author = thread && authorById(tx, thread.authorId);
      if (index % 2 === 0 && thankedAt < now && thread && author) {
        replyAsCustomer(
          tx,
          at(thankedAt, { kind: 'author', siteId: site.id, authorId: author.id, name: author.name }),
          thread,
          author,
          { body: story.thanks },
        );
      }
      const resolvedAt = thankedAt + hourMs;
      if (index % 4 !== 3 && resolvedAt < now && index < ticketCount - 8)
        changeTicket(tx, agentAt(resolvedAt), ticket.id, { status: 'resolved' }, null);
    }
    const { secret } = issueToken(tx, at(now, commandLine), { name: 'demo', abilities: ['read', 'write', 'manage'] });
    discardOutbox(tx);
    return { siteToken, teamToken: secret, tickets: ticketCount };
  });
}

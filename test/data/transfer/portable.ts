// A desk with files and a random history, and its site as text and back, for tests of export and import.

import { join } from 'node:path';
import { newUlid } from '../../../src/base/ids.ts';
import { exportSite } from '../../../src/data/transfer/export.ts';
import { importSite } from '../../../src/data/transfer/import.ts';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { type Erasure, erasures } from '../../../src/desk/customers/erasure.ts';
import { failMail, receiveMail } from '../../../src/desk/mail/filing.ts';
import { addChannel } from '../../../src/desk/outbox/channels.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { addTeam } from '../../../src/desk/people/teams.ts';
import { recurringTickets } from '../../../src/desk/rules/recurring-tickets.ts';
import { inboundRules } from '../../../src/desk/rules/rules.ts';
import { timedRules } from '../../../src/desk/rules/timed-rules.ts';
import { triggers } from '../../../src/desk/rules/triggers.ts';
import { categories } from '../../../src/desk/sites/catalogue/categories.ts';
import { customFields } from '../../../src/desk/sites/catalogue/custom-fields.ts';
import { priorities } from '../../../src/desk/sites/catalogue/priorities.ts';
import { removeSite } from '../../../src/desk/sites/removal.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { scanStep } from '../../../src/desk/sla/sla.ts';
import { attachAsAgent, attachAsCustomer } from '../../../src/desk/tickets/attachments.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { followMerges } from '../../../src/desk/tickets/find-ticket.ts';
import { addMacro } from '../../../src/desk/tickets/macros.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { addNote, answerTicket, replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { wakeStep } from '../../../src/desk/tickets/snooze.ts';
import { splitTicket } from '../../../src/desk/tickets/split-ticket.ts';
import { recurringTicketInput, timedRuleInput, triggerInput } from '../../../src/domain/input/automation.ts';
import { channelInput, ruleInput } from '../../../src/domain/input/channels.ts';
import { macroInput } from '../../../src/domain/input/macros.ts';
import { customFieldInput } from '../../../src/domain/input/sites.ts';
import { dayMs } from '../../../src/domain/instant.ts';
import { type Blobs, createLocalBlobs } from '../../../src/files/blobs.ts';
import { renderMarkdown } from '../../../src/mail/markdown.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { categoryRows, priorityRows } from '../../../src/store/sites/catalogue.ts';
import { messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import { commandLine, minute, token, type Workbench, workbench } from '../../desk/workbench.ts';
import { temporaryFolder } from '../../support/folders.ts';

export interface Portable extends Workbench {
  blobs: Blobs;
  mailBlobs: Blobs;
  path: string;
  /** Erasures that are kept outside the database. */
  tombstones: Erasure[];
  keep(store: Blobs, text: string): Promise<{ ulid: string; size: number; sha256: string }>;
  exported(site?: string, hasSecrets?: boolean): Promise<string>;
  imported(text: string | Uint8Array, as?: string | null, piece?: number): ReturnType<typeof importSite>;
}

export function portable(): Portable {
  const bench = Object.assign(workbench(), { tombstones: [] as Erasure[] });
  const path = temporaryFolder();
  const blobs = createLocalBlobs(join(path, 'attachments'));
  const mailBlobs = createLocalBlobs(join(path, 'mail', 'inbound'));
  return Object.assign(bench, {
    blobs,
    mailBlobs,
    path,
    async keep(store: Blobs, text: string) {
      const bytes = async function* () {
        yield new TextEncoder().encode(text);
      };
      const staged = await store.stage(bytes(), 10_000_000);
      const ulid = newUlid(bench.clock.now());
      await staged.keep(ulid);
      return { ulid, size: staged.size, sha256: staged.sha256 };
    },
    async exported(site = 'web-shop', hasSecrets = false) {
      const parts: Uint8Array[] = [];
      const write = (bytes: Uint8Array) => {
        parts.push(bytes);
        return Promise.resolve();
      };
      await exportSite({ desk: bench.desk, blobs, mailBlobs, path, site, hasSecrets, write });
      return Buffer.concat(parts).toString();
    },
    imported(text: string | Uint8Array, as: string | null = null, piece = 10_000) {
      const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
      const source = async function* () {
        for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
      };
      const known = [...bench.tombstones, ...bench.desk.read((tx) => erasures(tx))];
      return importSite({ desk: bench.desk, blobs, mailBlobs, source: source(), as, erasures: known });
    },
  });
}

/** An empty desk. */
export function emptyDesk(): Portable {
  const desk = portable();
  desk.do((tx, ctx) => removeSite(tx, ctx, 'web-shop', 'web-shop', null));
  for (const table of ['events', 'sqlite_sequence']) desk.tx.client.run(`DELETE FROM ${table}`);
  return desk;
}

function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const words = ['invoice', 'cable', 'settings', 'größe', '請求書', 'naïve 😀', 'line\nbreak', '"quoted" \\ back'];

/** Makes this many things happen on the site, the same for the same seed. */
export async function live(desk: Portable, seed: number, steps: number): Promise<void> {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const agent = token(['read', 'write', 'manage']);
  const slug = 'web-shop';
  const kim = desk.do((tx, ctx) => addAgent(tx, ctx, { email: 'kim@agents.example', name: 'Kim', role: 'owner' }));
  const lee = desk.do((tx, ctx) =>
    addAgent(tx, ctx, { email: 'lee@agents.example', name: 'Lee', sites: [desk.site.id] }),
  );
  const teams = ['First level', 'Second level'].map((name) =>
    desk.do((tx, ctx) => addTeam(tx, ctx, { name, members: [kim.id, lee.id], max_open_per_agent: 9 })),
  );
  desk.do((tx, ctx) => addAgent(tx, ctx, { email: 'idle@agents.example', name: 'Idle' }));
  desk.do((tx, ctx) =>
    changeSite(
      tx,
      ctx,
      slug,
      {
        sla_policy: {
          holiday_names: { '2026-12-25': 'Christmas Day' },
          business_hours: {
            timezone: 'Europe/Amsterdam',
            weekly: { fri: [['09:00', '17:00']], mon: [['09:00', '12:00']] },
          },
        },
      },
      null,
    ),
  );
  const spare = desk.do((tx, ctx) => categories.add(tx, ctx, slug, { name: 'Spare' })).row;
  desk.do((tx, ctx) => priorities.add(tx, ctx, slug, { name: 'Critical', level: 9, first_response_minutes: 5 }));
  desk.do((tx, ctx) =>
    customFields.add(tx, ctx, slug, customFieldInput.parse({ key: 'order', label: 'Order', type: 'text' })),
  );
  desk.do((tx, ctx) =>
    addChannel(
      tx,
      ctx,
      slug,
      channelInput.parse({
        name: 'Team',
        type: 'custom',
        webhook_url: 'https://hooks.example.org/a-secret',
        events: ['ticket.created', 'ticket.sla_breached'],
        header_prefix: 'X-Acme',
        include_test: true,
      }),
    ),
  );
  const rule = (type: string, value: unknown) =>
    desk.do((tx, ctx) =>
      inboundRules.add(
        tx,
        ctx,
        slug,
        ruleInput.parse({
          name: `Rule ${type}`,
          conditions: [{ field: 'subject', operator: 'contains', value: 'x' }],
          actions: [{ type, value }],
        }),
      ),
    );
  rule('set_category', spare.id);
  rule('assign', lee.id);
  const tags = [{ type: 'add_tags', value: ['done'] }];
  desk.do((tx, ctx) => {
    const named = { field: 'assignee', operator: 'equals', value: lee.id };
    const parts = { conditions: [{ match: 'any', conditions: [named] }] };
    const follow = { type: 'follow', value: [lee.id] };
    triggers.add(
      tx,
      ctx,
      slug,
      triggerInput.parse({
        name: 'On',
        on: ['assigned'],
        ...parts,
        actions: [follow, { type: 'set_category', value: spare.id }],
      }),
    );
    timedRules.add(
      tx,
      ctx,
      slug,
      timedRuleInput.parse({ name: 'Late', since: 'created', minutes: 60, time: 'working', ...parts, actions: tags }),
    );
    recurringTickets.add(
      tx,
      ctx,
      slug,
      recurringTicketInput.parse({
        name: 'Weekly',
        schedule: '0 9 * * 1',
        ticket: {
          email: 'ops@example.org',
          subject: 'Check',
          message: 'Please.',
          category_id: spare.id,
          assigned_to: lee.id,
        },
      }),
    );
  });
  const tickets: string[] = [];
  const open = () => {
    const who = random(6);
    const { ticket } = desk.open({
      email: `person${who}@example.org`,
      name: `Person ${who}`,
      subject: `About ${pick(words).replace('\n', ' ')}`,
      message: `${pick(words)} and ${pick(words)}`,
      tags: random(2) ? [pick(['red', 'blue']), 'both'] : [],
      category_id: random(3) ? null : pick(categoryRows.list(desk.tx, desk.site.id)).id,
      priority_id: pick(priorityRows.list(desk.tx, desk.site.id)).id,
      is_test: random(6) === 0,
      custom_fields: random(2) ? { order: `o-${random(100)}` } : {},
      context: random(2)
        ? { source: 'web', user: { external_id: `x-${who}`, name: 'X' }, extra: { deep: [1, { two: pick(words) }] } }
        : null,
    });
    tickets.push(ticket.ulid);
  };
  open();
  open();
  const deeds: (() => unknown)[] = [
    open,
    open,
    () => desk.do((tx, ctx) => replyAsAgent(tx, ctx, pick(tickets), { body: pick(words), agent_id: lee.id }), agent),
    () => desk.do((tx, ctx) => replyAsAgent(tx, ctx, pick(tickets), { body: pick(words), status: 'pending' }), agent),
    () => {
      const body = `**${pick(words)}**`;
      const input = { body, body_format: 'markdown' as const, html: renderMarkdown(body), mentions: [lee.id] };
      const sendAt = desk.clock.now() + 80 * dayMs;
      const more = random(2) ? { status: 'resolved' as const, send_at: sendAt } : {};
      desk.do((tx, ctx) => answerTicket(tx, ctx, pick(tickets), { ...input, ...more }), agent);
    },
    () => desk.do((tx, ctx) => addNote(tx, ctx, pick(tickets), { body: pick(words), agent_name: 'Kim' }), agent),
    () => {
      const thread = followMerges(desk.tx, desk.ticket(idOf(pick(tickets))));
      const author = authorById(desk.tx, thread.authorId);
      if (!author || author.anonymisedAt !== null) return;
      desk.do((tx, ctx) => replyAsCustomer(tx, ctx, thread, author, { body: pick(words) }), {
        kind: 'author',
        siteId: desk.site.id,
        authorId: author.id,
        name: author.name,
      });
    },
    () =>
      desk.do((tx, ctx) => changeTicket(tx, ctx, pick(tickets), { assigned_to: pick([kim.id, lee.id, null]) }, null)),
    () =>
      desk.do((tx, ctx) =>
        changeTicket(tx, ctx, pick(tickets), { team_id: pick([null, ...teams.map(({ id }) => id)]) }, null),
      ),
    () =>
      desk.do((tx, ctx) =>
        changeTicket(
          tx,
          ctx,
          pick(tickets),
          { status: pick(['open', 'pending', 'resolved', 'closed'] as const) },
          null,
        ),
      ),
    () =>
      desk.do((tx, ctx) =>
        changeTicket(tx, ctx, pick(tickets), { tags: [pick(['green', 'blue'])], subject: `New ${random(9)}` }, null),
      ),
    () => desk.do((tx, ctx) => mergeTickets(tx, ctx, pick(tickets), pick(tickets))),
    () =>
      desk.do((tx, ctx) =>
        changeTicket(tx, ctx, pick(tickets), { snoozed_until: desk.clock.now() + (1 + random(90)) * minute }, null),
      ),
    () => desk.do((tx, ctx) => changeTicket(tx, ctx, pick(tickets), { is_spam: random(2) === 0 }, null)),
    () => desk.do((tx, ctx) => wakeStep(tx, ctx)),
    () => {
      const ulid = pick(tickets);
      const message = pick(messagesOfTicket(desk.tx, idOf(ulid)))?.ulid ?? '';
      tickets.push(desk.do((tx, ctx) => splitTicket(tx, ctx, ulid, { message })).ulid);
    },
    () =>
      desk.do((tx, ctx) =>
        addMacro(
          tx,
          ctx,
          macroInput.parse({
            name: 'Ask',
            body: 'Hello {{author.name}}, {{field.order}}',
            site_id: desk.site.id,
            changes: {
              assigned_to: lee.id,
              team_id: pick(teams).id,
              priority_id: pick(priorityRows.list(desk.tx, desk.site.id)).id,
            },
          }),
        ),
      ),
    () => {
      desk.clock.advance(random(600) * minute);
      desk.do((tx, ctx) => scanStep(tx, ctx), { kind: 'scan' });
    },
    async () => {
      const { ulid, size, sha256 } = await desk.keep(desk.blobs, pick(words).repeat(random(30_000)));
      const file = { ulid, size, sha256, filename: `${random(9)} größe.txt`, contentType: 'text/plain' };
      const id = idOf(pick(tickets));
      if (random(2)) desk.do((tx, ctx) => attachAsAgent(tx, ctx, id, file, messagesOfTicket(tx, id)[0]?.id ?? null));
      else desk.do((tx, ctx) => attachAsCustomer(tx, ctx, desk.ticket(id), file, null));
    },
    async () => {
      const kept = await desk.keep(desk.mailBlobs, `From: a@b.example\n\n${pick(words)}`);
      const id = desk.do((tx, ctx) =>
        receiveMail(tx, ctx, desk.site, { ...kept, provider: 'raw', headers: { a: 'b' } }),
      );
      if (random(3))
        desk.do((tx, ctx) => void failMail(tx, ctx, id, pick(['failed', 'discarded'] as const), 'Because.'));
    },
    () =>
      desk.do((tx, ctx) => suppressAddress(tx, desk.site.id, `gone${random(5)}@example.org`, 'no such user', ctx.now)),
    () => {
      if (random(3) === 0)
        desk.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: desk.site.id, email: `person${random(6)}@example.org` }));
    },
  ];
  const idOf = (ulid: string) =>
    Number(desk.tx.client.query('SELECT id FROM tickets WHERE ulid = ?').values(ulid)[0]?.[0]);
  for (let step = 0; step < steps; step += 1) {
    desk.clock.advance(random(30) * minute);
    try {
      await pick(deeds)();
    } catch (error) {
      // What the desk refuses leaves no trace.
      if (!(error instanceof Error && error.name === 'DeskError')) throw error;
    }
  }
  // A running desk has recorded each deadline that has passed.
  while (desk.do((tx, ctx) => scanStep(tx, ctx), { kind: 'scan' }).hasMore);
  if (random(2)) desk.do((tx, ctx) => categories.remove(tx, ctx, slug, spare.id, null), commandLine);
}

export interface Told {
  type: string;
  [key: string]: unknown;
}

/** The lines of an export without the first and last; events count from 1, because their numbers belong to the desk. */
export function told(text: string): Told[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Told);
  const seqs = new Map(lines.filter(({ type }) => type === 'event').map(({ seq }, at) => [seq, at + 1]));
  const renumber = (line: Told) => {
    for (const key of ['seq', 'started_by_seq', 'ended_by_seq', 'event_seq'])
      if (typeof line[key] === 'number') line[key] = seqs.get(line[key] as number);
    return line;
  };
  return lines.slice(1, -1).map(renumber);
}

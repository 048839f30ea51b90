// The held mail of several sites, newest first, and what is decided about it.

import { type ReadonlySignal, signal } from '@preact/signals';
import type * as z from 'zod';
import type { inboundMailShape } from '../../../http/wire/inbound-mail.ts';
import type { Refusal } from '../../shared/api.ts';
import { count } from '../../shared/format.ts';
import { announce, announceRefusal } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { t } from '../customers/messages.ts';
import { offerUndo } from '../undo.ts';
import { loadCounts } from '../views/views.ts';

export type HeldMail = z.output<typeof inboundMailShape>;

interface Loaded {
  mails: HeldMail[];
  hasMore: boolean;
  refusal: Refusal | null;
}

const perSite = 50;
const atOnce = 4;

export const pathOf = ({ site_id: site, id }: HeldMail) => `/sites/${site}/inbound-mail/${id}`;
export const subjectOf = ({ subject }: HeldMail) => (subject === null || subject === '' ? t.noSubject : subject);

export interface HeldList {
  loaded: ReadonlySignal<Loaded | null>;
  /** What is on its way, by id. */
  busy: ReadonlySignal<ReadonlyMap<number, 'release' | 'discard'>>;
  /** The tickets of what was released, which stays in its place; null for mail that became none. */
  filed: ReadonlySignal<ReadonlyMap<number, string | null>>;
  load(sites: readonly number[]): Promise<void>;
  release(mails: readonly HeldMail[]): Promise<void>;
  discard(mails: readonly HeldMail[]): Promise<void>;
}

export function createHeldList(): HeldList {
  const loaded = signal<Loaded | null>(null);
  const busy = signal<ReadonlyMap<number, 'release' | 'discard'>>(new Map());
  const filed = signal<ReadonlyMap<number, string | null>>(new Map());
  let asked = 0;

  function change(mails: (before: readonly HeldMail[]) => readonly HeldMail[]): void {
    // A decision is newer than an answer that is still on its way.
    asked += 1;
    const before = loaded.peek();
    if (before !== null) loaded.value = { ...before, mails: inOrder(mails(before.mails)) };
  }

  /** @returns those that the desk took, after saying why it refused another */
  async function decide(
    mails: readonly HeldMail[],
    what: 'release' | 'discard',
    act: (mail: HeldMail) => Promise<Refusal | null>,
  ) {
    busy.value = new Map([...busy.peek(), ...mails.map(({ id }) => [id, what] as const)]);
    const done: HeldMail[] = [];
    let refused: Refusal | null = null;
    await sideBySide(mails, async (mail) => {
      const refusal = await act(mail);
      if (refusal === null) done.push(mail);
      else refused = refusal;
      busy.value = new Map([...busy.peek()].filter(([id]) => id !== mail.id));
    });
    if (refused !== null) announceRefusal(refused);
    void loadCounts();
    return done;
  }

  async function hold(mails: readonly HeldMail[]): Promise<void> {
    const held: HeldMail[] = [];
    await sideBySide(mails, async (mail) => {
      const answer = await ask('POST', `${pathOf(mail)}/hold`);
      if (answer.isOk) held.push(mail);
      else announceRefusal(answer.refusal);
    });
    change((before) => [...before, ...held]);
    void loadCounts();
  }

  return {
    loaded,
    busy,
    filed,
    async load(sites) {
      asked += 1;
      const number = asked;
      const found = await heldMailOf(sites);
      if (number !== asked) return;
      // What is being decided about stays in its place, and so does what was released.
      const stays = ({ id }: HeldMail) => filed.peek().has(id) || busy.peek().has(id);
      const ids = found.mails.map(({ id }) => id);
      const kept = loaded.peek()?.mails.filter((mail) => stays(mail) && !ids.includes(mail.id)) ?? [];
      loaded.value = { ...found, mails: inOrder([...found.mails, ...kept]) };
    },
    async release(mails) {
      const done = await decide(mails, 'release', async (mail) => {
        const answer = await ask<{ data: HeldMail }>('POST', `${pathOf(mail)}/replay`, { release: true });
        if (!answer.isOk) return answer.refusal;
        filed.value = new Map([...filed.peek(), [mail.id, answer.data.data.ticket]]);
        return null;
      });
      if (done.length > 1) announce(t.mailsReleased(count(done.length)));
    },
    async discard(mails) {
      const done = await decide(mails, 'discard', async (mail) => {
        const answer = await ask('POST', `${pathOf(mail)}/discard`);
        return answer.isOk ? null : answer.refusal;
      });
      const [first] = done;
      if (first === undefined) return;
      change((before) => before.filter((mail) => !done.includes(mail)));
      const text = done.length === 1 ? t.mailDiscarded(subjectOf(first)) : t.mailsDiscarded(count(done.length));
      offerUndo(text, () => hold(done));
    },
  };
}

async function heldMailOf(siteIds: readonly number[]): Promise<Loaded> {
  const loaded: Loaded = { mails: [], hasMore: false, refusal: null };
  await sideBySide(siteIds, async (site) => {
    const path = `/sites/${site}/inbound-mail?outcome=held&per_page=${perSite}`;
    const answer = await ask<{ data: HeldMail[]; meta: { total: number } }>('GET', path);
    if (!answer.isOk) {
      loaded.refusal = answer.refusal;
      return;
    }
    loaded.mails.push(...answer.data.data);
    loaded.hasMore ||= answer.data.meta.total > answer.data.data.length;
  });
  return loaded;
}

async function sideBySide<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  async function next(): Promise<void> {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  }
  await Promise.all(Array.from({ length: atOnce }, next));
}

function inOrder(mails: readonly HeldMail[]): HeldMail[] {
  return mails.toSorted((one, other) => other.received_at.localeCompare(one.received_at));
}

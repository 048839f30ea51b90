// The held mail of several sites, newest first, and what is decided about it.

import { type ReadonlySignal, signal } from '@preact/signals';
import type * as z from 'zod';
import { type HeldFor, heldReasons } from '../../../domain/mail/inbound.ts';
import type { heldCountsShape, inboundMailShape } from '../../../http/wire/mail/inbound-mail.ts';
import type { Refusal } from '../../shared/api.ts';
import { count } from '../../shared/format.ts';
import { announce, announceRefusal } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { t } from '../customers/messages.ts';
import { subjectText } from '../list/messages.ts';
import { route } from '../route.ts';
import { offerUndo } from '../undo.ts';
import { loadCounts } from '../views/views.ts';

export type HeldMail = z.output<typeof inboundMailShape>;

/** What waits at one site. */
interface Waiting {
  site: number;
  newestId: number;
  reasons: ReadonlyMap<HeldFor, number>;
}

interface Loaded {
  mails: HeldMail[];
  waiting: readonly Waiting[];
  hasMore: boolean;
  refusal: Refusal | null;
}

/** Of one reason, or of all. */
export const countOf = (waiting: readonly Waiting[], reason: HeldFor | null): number =>
  waiting
    .flatMap(({ reasons }) => (reason === null ? [...reasons.values()] : [reasons.get(reason) ?? 0]))
    .reduce((sum, one) => sum + one, 0);

export const chosenReason = (): HeldFor | null =>
  heldReasons.find((reason) => reason === route.value.query.get('reason')) ?? null;

export function heldPath(reason: HeldFor | null, mail: number | null = null): string {
  const query = new URLSearchParams({
    ...(reason === null ? {} : { reason }),
    ...(mail === null ? {} : { mail: String(mail) }),
  }).toString();
  return query === '' ? '/inbox/held-mail' : `/inbox/held-mail?${query}`;
}

const perSite = 50;
const atOnce = 4;

export const pathOf = ({ site_id: site, id }: HeldMail) => `/sites/${site}/inbound-mail/${id}`;
export const subjectOf = ({ subject }: HeldMail) => subjectText(subject);

export interface HeldList {
  loaded: ReadonlySignal<Loaded | null>;
  /** What is on its way, by id. */
  busy: ReadonlySignal<ReadonlyMap<number, 'release' | 'discard'>>;
  /** The tickets of what was released, which stays in its place; null for mail that became none. */
  filed: ReadonlySignal<ReadonlyMap<number, string | null>>;
  /** Whether all mail of a reason is being decided about. */
  isDeciding: ReadonlySignal<boolean>;
  load(sites: readonly number[], reason: HeldFor | null): Promise<void>;
  release(mails: readonly HeldMail[]): Promise<void>;
  /** With their senders, if those are to be blocked. */
  discard(mails: readonly HeldMail[], blocksSenders?: boolean): Promise<void>;
  /** All that waits for the reason which is shown, as far as it was counted. */
  decideAll(what: 'release' | 'discard'): Promise<void>;
}

export function createHeldList(): HeldList {
  const loaded = signal<Loaded | null>(null);
  const busy = signal<ReadonlyMap<number, 'release' | 'discard'>>(new Map());
  const filed = signal<ReadonlyMap<number, string | null>>(new Map());
  const isDeciding = signal(false);
  let asked = 0;
  let shown: { sites: readonly number[]; reason: HeldFor | null } = { sites: [], reason: null };

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

  async function hold(mails: readonly HeldMail[], unblocksSenders: boolean): Promise<void> {
    const held: HeldMail[] = [];
    await sideBySide(mails, async (mail) => {
      const answer = await ask('POST', `${pathOf(mail)}/hold`, { unblock_sender: unblocksSenders });
      if (answer.isOk) held.push(mail);
      else announceRefusal(answer.refusal);
    });
    change((before) => [...before, ...held]);
    void loadCounts();
  }

  async function load(sites: readonly number[], reason: HeldFor | null): Promise<void> {
    asked += 1;
    const number = asked;
    const found = await heldMailOf(sites, reason);
    if (number !== asked) return;
    const isSame = shown.reason === reason;
    shown = { sites, reason };
    // What is being decided about stays in its place, and so does what was released.
    const stays = ({ id }: HeldMail) => isSame && (filed.peek().has(id) || busy.peek().has(id));
    const ids = found.mails.map(({ id }) => id);
    const kept = loaded.peek()?.mails.filter((mail) => stays(mail) && !ids.includes(mail.id)) ?? [];
    loaded.value = { ...found, mails: inOrder([...found.mails, ...kept]) };
  }

  async function reload(): Promise<void> {
    void loadCounts();
    await load(shown.sites, shown.reason);
  }

  async function holdAll(discarded: readonly { site: number; ids: number[] }[]): Promise<void> {
    for (const { site, ids } of discarded) {
      const answer = await ask('POST', `/sites/${site}/held-mail/hold`, { ids });
      if (!answer.isOk) announceRefusal(answer.refusal);
    }
    await reload();
  }

  /** Each request decides about all that it names or nothing. */
  async function decideParts(what: 'release' | 'discard') {
    const { reason } = shown;
    const done: { site: number; ids: number[] }[] = [];
    for (const each of loaded.peek()?.waiting ?? []) {
      const { site, newestId } = each;
      for (let left = countOf([each], reason); left > 0; ) {
        const answer = await ask<{ data: { ids: number[]; left: number } }>(
          'POST',
          `/sites/${site}/held-mail/${what}`,
          {
            ...(reason === null ? {} : { held_for: [reason] }),
            up_to: newestId,
            count: left,
          },
        );
        if (!answer.isOk) {
          announceRefusal(answer.refusal);
          return done;
        }
        done.push({ site, ids: answer.data.data.ids });
        left = answer.data.data.left;
      }
    }
    return done;
  }

  return {
    loaded,
    busy,
    filed,
    isDeciding,
    load,
    async decideAll(what) {
      isDeciding.value = true;
      const done = await decideParts(what);
      isDeciding.value = false;
      await reload();
      const decided = done.reduce((sum, { ids }) => sum + ids.length, 0);
      if (decided === 0) return;
      if (what === 'release') announce(t.mailsBeingFiled(count(decided)));
      else offerUndo(t.mailsDiscarded(count(decided)), () => holdAll(done));
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
    async discard(mails, blocksSenders = false) {
      const done = await decide(mails, 'discard', async (mail) => {
        const answer = await ask('POST', `${pathOf(mail)}/discard`, { block_sender: blocksSenders });
        return answer.isOk ? null : answer.refusal;
      });
      const [first] = done;
      if (first === undefined) return;
      change((before) => before.filter((mail) => !done.includes(mail)));
      const isOne = done.length === 1;
      const text = isOne ? t.mailDiscarded(subjectOf(first)) : t.mailsDiscarded(count(done.length));
      const blocked = isOne ? t.senderBlocked : t.sendersBlocked;
      offerUndo(blocksSenders ? `${text} ${blocked}` : text, () => hold(done, blocksSenders));
    },
  };
}

async function heldMailOf(siteIds: readonly number[], reason: HeldFor | null): Promise<Loaded> {
  const loaded: Loaded & { waiting: Waiting[] } = { mails: [], waiting: [], hasMore: false, refusal: null };
  await sideBySide(siteIds, async (site) => {
    const filter = reason === null ? '' : `&held_for=${reason}`;
    const path = `/sites/${site}/inbound-mail?outcome=held&per_page=${perSite}${filter}`;
    const [answer, counts] = await Promise.all([
      ask<{ data: HeldMail[]; meta: { total: number } }>('GET', path),
      ask<{ data: z.output<typeof heldCountsShape> }>('GET', `/sites/${site}/held-mail`),
    ]);
    if (!answer.isOk || !counts.isOk) {
      loaded.refusal = [answer, counts].flatMap((each) => (each.isOk ? [] : [each.refusal]))[0] ?? null;
      return;
    }
    const { newest_id: newestId, reasons } = counts.data.data;
    if (newestId !== null)
      loaded.waiting.push({ site, newestId, reasons: new Map(reasons.map((each) => [each.held_for, each.count])) });
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

// The inbox: what concerns the agent, by ticket, newest first.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Answer } from '../../shared/api.ts';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { ago, count, dateAndTime } from '../../shared/format.ts';
import { announceRefusal } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useCommands } from '../commands.ts';
import { t } from '../customers/messages.ts';
import { unread } from '../live/unread.ts';
import { t as onDemand } from '../on-demand-messages.ts';
import { usePageTitle } from '../page-title.ts';
import { go, Link, route } from '../route.ts';
import { visibleSites } from '../session.ts';
import { Empty } from '../shell/empty.tsx';
import { Refused } from '../shell/refused.tsx';
import type { Notification } from '../wire.ts';
import { placeOf, toldText, toldTitle } from './told.ts';

interface Page {
  data: Notification[];
  meta: { unread: number; next_cursor: string | null };
}

const pageSize = 100;

interface Group {
  key: string;
  rows: Notification[];
}

/** Of one ticket, or one by one, with the newest first. What is read does not stand with what is new. */
function groupsOf(rows: readonly Notification[]): Group[] {
  const groups = new Map<string, Notification[]>();
  for (const row of rows) {
    const key = row.ticket === null ? `${row.id}` : `${row.ticket.ulid} ${row.read_at === null}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].map(([key, own]) => ({ key, rows: own }));
}

export function NotificationsPage() {
  const isUnread = route.value.query.get('show') !== 'all';
  const rows = useSignal<Notification[] | null>(null);
  const hasMore = useSignal(false);
  const refusal = useSignal<Extract<Answer<Page>, { isOk: false }>['refusal'] | null>(null);
  const selected = useSignal(0);
  usePageTitle(onDemand.bellTitle);

  const asked = useRef(0);
  /** Again as many pages as are shown, or more. */
  async function load(wanted = rows.peek()?.length ?? 0) {
    // What was asked before may be answered later.
    asked.current += 1;
    const question = asked.current;
    const found: Notification[] = [];
    let cursor: string | null = null;
    do {
      const query: string = `${isUnread ? 'unread=1&' : ''}per_page=${pageSize}${cursor === null ? '' : `&cursor=${cursor}`}`;
      const answer: Answer<Page> = await ask<Page>('GET', `/notifications?${query}`);
      if (question !== asked.current) return;
      refusal.value = answer.isOk ? null : answer.refusal;
      if (!answer.isOk) return;
      found.push(...answer.data.data);
      cursor = answer.data.meta.next_cursor;
    } while (cursor !== null && found.length < wanted);
    rows.value = found;
    hasMore.value = cursor !== null;
  }

  // The stream reports what arrives or is read, here, in another tab or on another device.
  const live = unread.value;
  useEffect(() => void load(), [isUnread, live]);

  const groups = groupsOf(rows.value ?? []);
  const at = Math.min(selected.value, Math.max(0, groups.length - 1));
  const current = groups[at];

  async function read(body: { ids: number[] } | { up_to: number }) {
    const answer = await ask('POST', '/notifications/read', body);
    if (answer.isOk) await load();
    else announceRefusal(answer.refusal);
  }
  const readGroup = ({ rows: own }: Group) => read({ ids: own.map(({ id }) => id) });
  const open = (group: Group) => {
    if (group.rows[0]?.ticket === null) void readGroup(group);
    go(placeOf(group.rows[0] as Notification));
  };
  const move = (by: number) => {
    selected.value = Math.max(0, Math.min(groups.length - 1, at + by));
    document.querySelectorAll('.told > li')[selected.value]?.scrollIntoView({ block: 'nearest' });
  };
  useCommands('page', [
    { id: 'told-next', title: t.nextTicket, keys: ['j'], isOnlyByKey: true, run: () => move(1) },
    { id: 'told-previous', title: t.previousTicket, keys: ['k'], isOnlyByKey: true, run: () => move(-1) },
    { id: 'told-open', title: t.openTicket, keys: ['Enter'], isOnlyByKey: true, run: () => current && open(current) },
    { id: 'told-read', title: t.notificationsReadOne, keys: ['e'], run: () => current && void readGroup(current) },
  ]);

  const newest = rows.value?.[0];
  return (
    <main id="content" class="list-screen" tabIndex={-1} aria-busy={rows.value === null || undefined}>
      <header class="screen-head">
        <h1>{onDemand.bellTitle}</h1>
        {newest !== undefined && (live?.unread ?? 0) > 0 && (
          <Button onClick={() => void read({ up_to: newest.id })}>{t.notificationsReadAll}</Button>
        )}
      </header>
      <nav class="held-reasons" aria-label={onDemand.filters}>
        <Link href="/notifications" isCurrent={isUnread}>
          {t.notificationsOnlyUnread} {live !== null && <span>{count(live.unread)}</span>}
        </Link>
        <Link href="/notifications?show=all" isCurrent={!isUnread}>
          {t.notificationsAll}
        </Link>
      </nav>
      {refusal.value !== null && <Refused refusal={refusal.value} onRetry={() => void load()} />}
      {rows.value !== null && groups.length === 0 && (
        <Empty icon="bell" title={t.notificationsNone}>
          {t.notificationsNoneText}
        </Empty>
      )}
      <ul class="held told">
        {groups.map((group, place) => (
          <Told key={group.key} group={group} isSelected={place === at} onRead={() => void readGroup(group)} />
        ))}
      </ul>
      {hasMore.value && (
        <Button onClick={() => void load((rows.peek()?.length ?? 0) + 1)}>{t.notificationsMore}</Button>
      )}
    </main>
  );
}

interface ToldProps {
  group: Group;
  isSelected: boolean;
  onRead: () => void;
}

function Told({ group: { rows }, isSelected, onRead }: ToldProps) {
  const newest = rows[0] as Notification;
  const { ticket, detail, excerpt, created_at: at } = newest;
  const site = visibleSites.value.length > 1 ? visibleSites.value.find(({ id }) => id === newest.site_id)?.name : null;
  const isUnread = newest.read_at === null;
  const title = toldTitle(newest);
  return (
    <li class={isUnread ? 'is-unread' : ''} aria-current={isSelected || undefined}>
      <div>
        <h2 title={title}>
          <Link href={placeOf(newest)} {...(ticket === null ? { onClick: onRead } : {})}>
            <bdi>{title}</bdi>
          </Link>
        </h2>
        <p class="soft">
          {rows.length > 1 && `${t.toldSeveral(count(rows.length), ticket?.reference ?? '')} · `}
          {toldText(newest)}
          {site && ` · ${site}`} ·{' '}
          <time dateTime={at} title={dateAndTime(at)}>
            {ago(at, now())}
          </time>
        </p>
        {(excerpt ?? detail) !== null && (
          <p class="told-excerpt">
            <bdi>{excerpt ?? detail}</bdi>
          </p>
        )}
      </div>
      {isUnread && (
        <Button kind="quiet" onClick={onRead} label={`${t.notificationsReadOne}: ${title}`}>
          {t.notificationsReadOne}
        </Button>
      )}
    </li>
  );
}

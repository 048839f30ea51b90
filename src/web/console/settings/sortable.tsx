// A list in an order that people choose: by drag, by keys, or step by step. Each move is saved, announced, and can be taken back.
// A long one has a field to find a row.

import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { bound } from '../../shared/bound.ts';
import { TextField } from '../../shared/field.tsx';
import { count } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { announce, announceRefusal } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { offerUndo } from '../undo.ts';
import { t } from './messages.ts';

interface SortableProps<Row extends { id: number }> {
  label: string;
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  /** Of the list in the API, which has its order below. */
  path: string;
  canOrder: boolean;
  reload: () => Promise<void>;
  children: (row: Row) => ComponentChildren;
}

/** The ids with one of them at another place. The list of views has the same, in a file that is loaded before. */
function moved(ids: readonly number[], id: number, to: number): number[] {
  const others = ids.filter((one) => one !== id);
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, id);
}

/** Further than this, a press is a drag. */
const dragPx = 4;

/** The ids in a wanted order. Those that it does not name stay at the end, those that are gone are left out. */
function orderedBy(ids: readonly number[], wanted: readonly number[]): number[] {
  return [...wanted.filter((id) => ids.includes(id)), ...ids.filter((id) => !wanted.includes(id))];
}

const findAbove = 20;
/** Of one move with those of others, before it is given up. */
const mostConflicts = 5;

export function Sortable<Row extends { id: number }>(props: SortableProps<Row>) {
  const { label, rows, nameOf, children } = props;
  const wanted = useSignal('');
  const words = wanted.value.trim().toLowerCase();
  // A step among rows that were found would pass others that are not shown.
  const canOrder = props.canOrder && words === '';
  const list = useRef<HTMLOListElement>(null);
  const { ids, show, save } = useOrder(props);
  const drag = useDrag(list, ids, show, save);
  const focused = useRef<number | null>(null);
  const last = ids.length - 1;
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const shown = ids.flatMap((id) => rowOf.get(id) ?? []).filter((row) => nameOf(row).toLowerCase().includes(words));

  // A row that moves in the page loses the focus.
  useLayoutEffect(() => {
    const row = list.current?.querySelector(`[data-id="${focused.current}"]`);
    focused.current = null;
    row?.scrollIntoView({ block: 'nearest' });
    row?.querySelector<HTMLElement>('.sortable-handle')?.focus({ preventScroll: true });
  }, [ids.join()]);

  function move(id: number, to: number): void {
    const after = moved(ids, id, to);
    if (after.join() === ids.join()) return;
    focused.current = id;
    save(id, ids, after);
  }
  function press(event: TargetedKeyboardEvent<HTMLLIElement>, id: number): void {
    const at = ids.indexOf(id);
    const places: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last };
    const to = places[event.key];
    if (!canOrder || !event.altKey || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(id, to);
  }

  return (
    <>
      {(rows.length > findAbove || words !== '') && <TextField label={t.findSender} name="find" {...bound(wanted)} />}
      {canOrder && rows.length > 1 && <p class="soft sortable-hint">{t.orderHint}</p>}
      {shown.length === 0 ? (
        <p class="panel panel-note" role="status">
          {t.noneFound}
        </p>
      ) : (
        <ol ref={list} class="panel sortable" aria-label={label} {...drag.ofList}>
          {shown.map((row, at) => {
            const { id } = row;
            return (
              <li
                key={id}
                data-id={id}
                class={drag.id === id ? 'dragged' : undefined}
                onKeyDownCapture={(event) => press(event, id)}
              >
                {canOrder && (
                  <button
                    type="button"
                    class="icon-button sortable-handle"
                    aria-label={t.orderOf(nameOf(row))}
                    aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+Home Alt+End"
                    title={t.orderHint}
                    onPointerDown={(event) => drag.begin(event, id)}
                  >
                    <Icon name="grip" />
                  </button>
                )}
                {children(row)}
                {canOrder && (
                  // For pointers that cannot drag. Keys have the handle.
                  <span class="sortable-steps">
                    {([-1, 1] as const).map((step) => (
                      <button
                        key={step}
                        type="button"
                        tabIndex={-1}
                        class={`icon-button ${step < 0 ? 'up' : 'down'}`}
                        aria-label={(step < 0 ? t.moveRowUp : t.moveRowDown)(nameOf(row))}
                        aria-disabled={at === (step < 0 ? 0 : last) || undefined}
                        onClick={() => move(id, at + step)}
                      >
                        <Icon name="chevron" />
                      </button>
                    ))}
                  </span>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </>
  );
}

/** A row stands where it stands in this order. */
interface Move {
  id: number;
  like: readonly number[];
}

/** Each moved row follows the one that it follows in its own order, so that moves of others stay. */
function withMoves(ids: readonly number[], moves: readonly Move[]): readonly number[] {
  return moves.reduce((order, { id, like }) => {
    if (!order.includes(id)) return order;
    const others = order.filter((one) => one !== id);
    const before = like.slice(0, like.indexOf(id)).findLast((one) => others.includes(one));
    return others.toSpliced(before === undefined ? 0 : others.indexOf(before) + 1, 0, id);
  }, ids);
}

/** The order to show: with the own moves that the desk has not stored yet. */
function useOrder<Row extends { id: number }>(props: SortableProps<Row>) {
  const { rows, nameOf, path } = props;
  // An Undo may come after others have added rows.
  const newest = useRef(props);
  newest.current = props;
  const dragged = useSignal<readonly number[] | null>(null);
  const moves = useSignal<readonly Move[]>([]);
  const isSaving = useRef(false);
  const last = useRef<(Move & { end: () => void }) | null>(null);
  const stored = rows.map(({ id }) => id);
  /** As the desk last told, or was told. */
  const known = useRef<readonly number[]>(stored);
  const ids = dragged.value === null ? withMoves(stored, moves.value) : orderedBy(stored, dragged.value);

  useEffect(() => {
    if (isSaving.current) return;
    const before = known.current.filter((id) => stored.includes(id));
    const now = stored.filter((id) => known.current.includes(id));
    known.current = stored;
    if (before.join() !== now.join()) announce(t.orderChangedByOther);
  }, [stored.join()]);

  /** One request at a time. A move of someone else meanwhile is kept beside the own ones. */
  async function send(): Promise<void> {
    isSaving.current = true;
    let from: readonly number[] = newest.current.rows.map(({ id }) => id);
    let done = 0;
    let conflicts = 0;
    const heard = ({ data }: { data: readonly Row[] }) => {
      from = data.map(({ id }) => id);
      known.current = from;
    };
    try {
      while (moves.peek().length > done) {
        const all = moves.peek();
        const body = { ids: withMoves(from, all.slice(done)), from };
        let answer = await ask<{ data: Row[] }>('PATCH', `${path}/order`, body);
        if (!answer.isOk && answer.refusal.status === 412 && conflicts < mostConflicts) {
          conflicts += 1;
          answer = await ask<{ data: Row[] }>('GET', path);
          if (answer.isOk) {
            heard(answer.data);
            announce(t.orderChangedByOther);
            continue;
          }
        }
        if (answer.isOk) heard(answer.data);
        else announceRefusal(answer.refusal);
        done = all.length;
        if (moves.peek().length === done) await newest.current.reload();
      }
      moves.value = [];
    } finally {
      isSaving.current = false;
    }
  }
  function add(move: Move): void {
    dragged.value = null;
    moves.value = [...moves.peek(), move];
    if (!isSaving.current) void send();
  }

  return {
    ids,
    show(shown: readonly number[] | null) {
      dragged.value = shown;
    },
    save(id: number, before: readonly number[], after: readonly number[]) {
      const row = rows.find((one) => one.id === id);
      // Steps of one row are one move.
      const like = last.current?.id === id ? last.current.like : before;
      if (last.current?.id === id) last.current.end();
      const end = offerUndo(
        t.movedTo(row === undefined ? '' : nameOf(row), count(after.indexOf(id) + 1), count(after.length)),
        () => {
          last.current = null;
          add({ id, like });
        },
      );
      last.current = { id, like, end };
      add({ id, like: after });
    },
  };
}

interface Drag {
  id: number;
  pointer: number;
  fromY: number;
  before: readonly number[];
  shown: readonly number[];
  hasMoved: boolean;
}

function useDrag(
  list: { readonly current: HTMLOListElement | null },
  ids: readonly number[],
  show: (order: readonly number[] | null) => void,
  drop: (id: number, before: readonly number[], after: readonly number[]) => void,
) {
  const drag = useRef<Drag | null>(null);
  const dragged = useSignal<number | null>(null);

  function end(isDropped: boolean): void {
    const ended = drag.current;
    drag.current = null;
    dragged.value = null;
    if (ended === null || !ended.hasMoved) return;
    if (isDropped && ended.shown.join() !== ended.before.join()) drop(ended.id, ended.before, ended.shown);
    else show(null);
  }
  return {
    id: dragged.value,
    begin(event: TargetedPointerEvent<HTMLElement>, id: number) {
      if (event.button !== 0) return;
      drag.current = { id, pointer: event.pointerId, fromY: event.clientY, before: ids, shown: ids, hasMoved: false };
    },
    ofList: {
      onPointerMove({ clientY, buttons }: TargetedPointerEvent<HTMLOListElement>) {
        const now = drag.current;
        if (now === null) return;
        if (buttons === 0) return end(false);
        if (!now.hasMoved && Math.abs(clientY - now.fromY) < dragPx) return;
        if (!now.hasMoved) {
          now.hasMoved = true;
          dragged.value = now.id;
          // The list keeps its place in the page, which the row does not.
          list.current?.setPointerCapture(now.pointer);
        }
        const others = [...(list.current?.children ?? [])].filter((row) => row.getAttribute('data-id') !== `${now.id}`);
        const to = others.filter((row) => {
          const { top, height } = row.getBoundingClientRect();
          return top + height / 2 < clientY;
        }).length;
        if (now.shown.indexOf(now.id) === to) return;
        now.shown = moved(now.shown, now.id, to);
        show(now.shown);
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
    },
  };
}

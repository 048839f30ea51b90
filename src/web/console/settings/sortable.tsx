// A list in an order that people choose: by drag, by keys, or step by step. Each move is saved, announced, and can be taken back.

import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Answer } from '../../shared/api.ts';
import { count } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { announceRefusal } from '../../shared/notices.tsx';
import { offerUndo } from '../undo.ts';
import { t } from './messages.ts';

interface SortableProps<Row extends { id: number }> {
  label: string;
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  /** Saves all ids in their new order. Null: the order cannot be changed by this agent. */
  order: ((ids: readonly number[]) => Promise<Answer<unknown>>) | null;
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

export function Sortable<Row extends { id: number }>(props: SortableProps<Row>) {
  const { label, rows, nameOf, order, children } = props;
  const list = useRef<HTMLOListElement>(null);
  const { ids, show, save } = useOrder(props);
  const drag = useDrag(list, ids, show, (id, before) => save(id, before));
  const focused = useRef<number | null>(null);
  const last = ids.length - 1;
  const rowOf = new Map(rows.map((row) => [row.id, row]));

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
    show(after);
    save(id, ids);
  }
  function press(event: TargetedKeyboardEvent<HTMLLIElement>, id: number): void {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (order === null || !event.altKey || step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    move(id, ids.indexOf(id) + step);
  }

  return (
    <>
      {order !== null && rows.length > 1 && <p class="soft sortable-hint">{t.orderHint}</p>}
      <ol ref={list} class="panel sortable" aria-label={label} {...drag.ofList}>
        {ids.map((id, at) => {
          const row = rowOf.get(id);
          if (row === undefined) return null;
          return (
            <li
              key={id}
              data-id={id}
              class={drag.id === id ? 'dragged' : undefined}
              onKeyDownCapture={(event) => press(event, id)}
            >
              {order !== null && (
                <button
                  type="button"
                  class="icon-button sortable-handle"
                  aria-label={t.orderOf(nameOf(row))}
                  aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                  title={t.orderHint}
                  onPointerDown={(event) => drag.begin(event, id)}
                >
                  <Icon name="grip" />
                </button>
              )}
              {children(row)}
              {order !== null && (
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
    </>
  );
}

/** The order to show: the wanted one, until the desk has stored it. */
function useOrder<Row extends { id: number }>(props: SortableProps<Row>) {
  const { rows, nameOf } = props;
  // An Undo may come after others have added rows.
  const newest = useRef(props);
  newest.current = props;
  const wanted = useSignal<readonly number[] | null>(null);
  const isSaving = useRef(false);
  const last = useRef<{ id: number; before: readonly number[]; end: () => void } | null>(null);
  const stored = rows.map(({ id }) => id);
  const ids = wanted.value === null ? stored : orderedBy(stored, wanted.value);

  /** One request at a time, and always for the newest order. */
  async function send(): Promise<boolean> {
    isSaving.current = true;
    try {
      for (;;) {
        const sent = wanted.peek();
        const { rows: now, order, reload } = newest.current;
        const known = now.map(({ id }) => id);
        const answer = order === null || sent === null ? null : await order(orderedBy(known, sent));
        if (wanted.peek() !== sent) continue;
        if (answer?.isOk === false) announceRefusal(answer.refusal);
        await reload();
        if (wanted.peek() === sent) {
          wanted.value = null;
          return answer?.isOk === true;
        }
      }
    } finally {
      isSaving.current = false;
    }
  }

  return {
    ids,
    show(shown: readonly number[]) {
      wanted.value = shown;
    },
    save(id: number, from: readonly number[]) {
      const row = rows.find((one) => one.id === id);
      const after = wanted.peek() ?? stored;
      // Steps of one row are one move.
      const before = last.current?.id === id ? last.current.before : from;
      if (last.current?.id === id) last.current.end();
      const end = offerUndo(
        t.movedTo(row === undefined ? '' : nameOf(row), count(after.indexOf(id) + 1), count(after.length)),
        () => {
          last.current = null;
          wanted.value = before;
          if (!isSaving.current) void send();
        },
      );
      last.current = { id, before, end };
      if (!isSaving.current) void send();
    },
  };
}

interface Drag {
  id: number;
  pointer: number;
  fromY: number;
  before: readonly number[];
  hasMoved: boolean;
}

function useDrag(
  list: { readonly current: HTMLOListElement | null },
  ids: readonly number[],
  show: (order: readonly number[]) => void,
  drop: (id: number, before: readonly number[]) => void,
) {
  const drag = useRef<Drag | null>(null);
  const dragged = useSignal<number | null>(null);

  function end(isDropped: boolean): void {
    const ended = drag.current;
    drag.current = null;
    dragged.value = null;
    if (ended === null || !ended.hasMoved) return;
    if (isDropped && ids.join() !== ended.before.join()) drop(ended.id, ended.before);
    else show(ended.before);
  }
  return {
    id: dragged.value,
    begin(event: TargetedPointerEvent<HTMLElement>, id: number) {
      if (event.button !== 0) return;
      drag.current = { id, pointer: event.pointerId, fromY: event.clientY, before: ids, hasMoved: false };
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
        if (ids.indexOf(now.id) !== to) show(moved(ids, now.id, to));
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
    },
  };
}

// What the measurements of the console put into its pages: the moments of input, and of frames that show what was waited for.

import type { Page } from 'puppeteer-core';

interface Watching {
  /** The moment at which a frame was drawn for which this is true, since 1970. */
  seenAt(isSeen: () => boolean): Promise<number>;
  inputAt: number;
  /** When the list was drawn, since the navigation began; 0 before that. */
  rowsAt: number;
  /** Goes on when the next frame is drawn. `before` runs when all is ready for it. */
  frame(before?: () => void): Promise<void>;
  grid(): { grid: HTMLElement; rowHeight: number };
  lacksRows(): boolean;
}
export type WatchedWindow = Window & { watching: Watching };

export function watchPage(): void {
  const sinceEpoch = (moment: number) => performance.timeOrigin + moment;
  const watching: Watching = {
    inputAt: 0,
    rowsAt: 0,
    async seenAt(isSeen) {
      for (;;) {
        let isInFrame = false;
        await watching.frame(() => {
          isInFrame = isSeen();
        });
        if (isInFrame) return sinceEpoch(performance.now());
      }
    },
    frame: (before) =>
      new Promise((resolve) => {
        // Its message arrives after the frame is drawn.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        requestAnimationFrame(() => {
          before?.();
          port2.postMessage(null);
        });
      }),
    grid() {
      const grid = document.querySelector<HTMLElement>('.ticket-grid');
      const row = grid?.querySelector<HTMLElement>('.ticket-row');
      if (grid == null || row == null) throw new Error('There is no list.');
      return { grid, rowHeight: row.offsetHeight };
    },
    lacksRows() {
      const { grid } = watching.grid();
      const view = grid.getBoundingClientRect();
      const top = grid.querySelector('.column-heads')?.getBoundingClientRect().bottom ?? view.top;
      const rows = [...grid.querySelectorAll('.ticket-row')].map((row) => ({ row, at: row.getBoundingClientRect() }));
      const inView = rows.filter(({ at }) => at.bottom > top + 1 && at.top < view.bottom - 1);
      if (inView.some(({ row }) => row.classList.contains('is-loading'))) return true;
      const shown = inView.reduce((sum, { at }) => sum + Math.min(at.bottom, view.bottom) - Math.max(at.top, top), 0);
      return shown < view.bottom - top - 2;
    },
  };
  (window as unknown as WatchedWindow).watching = watching;
  const note = ({ timeStamp }: Event) => {
    watching.inputAt = sinceEpoch(timeStamp);
  };
  addEventListener('keydown', note, true);
  addEventListener('click', note, true);
  const isThere = () => document.querySelector('.ticket-row:not(.is-loading) .row-link') !== null;
  void watching.seenAt(isThere).then((at) => {
    watching.rowsAt = at - performance.timeOrigin;
  });
}

/** @returns milliseconds from the last key or click until the thread of that ticket is drawn */
export function threadDelay(page: Page, reference: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const { watching } = window as unknown as WatchedWindow;
    const at = await watching.seenAt(
      () =>
        document.querySelector('main.ticket .reference')?.textContent === wanted &&
        document.querySelector('.thread .message') !== null,
    );
    return at - watching.inputAt;
  }, reference);
}

export function subjectSeenAt(page: Page, subject: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const { watching } = window as unknown as WatchedWindow;
    return await watching.seenAt(() =>
      [...document.querySelectorAll('.row-subject')].some((one) => one.textContent === wanted),
    );
  }, subject);
}

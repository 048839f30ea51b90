// Where a conversation stands: at its newest message, at a wanted one, or where the agent left it.

const saved = new Map<string, Place>();
const mostSaved = 200;
const settleMs = 3000;
const edgePx = 48;

/** The message at the top, and how far it is above the edge. */
interface Place {
  key: string;
  offset: number;
}

/** Calls for as long as content above or below grows, such as frames of mails, until the agent moves. */
export interface Settling {
  stop: () => void;
}

export function settle(scroller: HTMLElement, content: HTMLElement, place: () => void): Settling {
  let isOver = false;
  let placed = { top: 0, height: 0 };
  const again = () => {
    if (isOver) return;
    place();
    placed = { top: scroller.scrollTop, height: scroller.scrollHeight };
  };
  const observer = new ResizeObserver(again);
  observer.observe(content);
  observer.observe(scroller);
  const moves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
  const stop = () => {
    if (isOver) return;
    isOver = true;
    // It would hold a thread that was left.
    clearTimeout(timer);
    observer.disconnect();
    for (const move of moves) scroller.removeEventListener(move, stop);
    scroller.removeEventListener('scroll', stopIfMoved);
  };
  // Other ways to scroll, such as finding a word: the place changed, and the content did not.
  const stopIfMoved = () => {
    const isMoved = Math.abs(scroller.scrollTop - placed.top) > 2 && scroller.scrollHeight === placed.height;
    if (isMoved) stop();
  };
  for (const move of moves) scroller.addEventListener(move, stop, { passive: true });
  scroller.addEventListener('scroll', stopIfMoved, { passive: true });
  const timer = setTimeout(stop, settleMs);
  again();
  return { stop };
}

export function isAtEnd({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < edgePx;
}

/** The end of the last message; its beginning if it is higher than the screen. */
export function showNewest(scroller: HTMLElement): void {
  const last = [...scroller.querySelectorAll<HTMLElement>('.message')].at(-1);
  const isHigh = last !== undefined && last.offsetHeight > scroller.clientHeight - edgePx;
  if (isHigh) showMessage(scroller, last);
  else scroller.scrollTop = scroller.scrollHeight;
}

export function showMessage(scroller: HTMLElement, message: HTMLElement): void {
  scroller.scrollTop += message.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 16;
}

function firstVisible(scroller: HTMLElement): { key: string; offset: number } | null {
  const top = scroller.getBoundingClientRect().top;
  for (const element of scroller.querySelectorAll<HTMLElement>('[data-key]')) {
    const { bottom, top: start } = element.getBoundingClientRect();
    if (bottom > top) return { key: element.dataset.key ?? '', offset: start - top };
  }
  return null;
}

/** @returns puts what is at the top now back there, after content was added above it */
export function holdPlace(scroller: HTMLElement): () => void {
  const place = firstVisible(scroller);
  return () => {
    if (place !== null) restore(scroller, place);
  };
}

function restore(scroller: HTMLElement, { key, offset }: Place): void {
  const element = scroller.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (element === null) return;
  scroller.scrollTop += element.getBoundingClientRect().top - scroller.getBoundingClientRect().top - offset;
}

/** Kept while the page is open; a conversation that was at its end is shown at its end again. */
export function savePlace(ticket: string, scroller: HTMLElement): void {
  saved.delete(ticket);
  const place = isAtEnd(scroller) ? null : firstVisible(scroller);
  if (place !== null) saved.set(ticket, place);
  for (const oldest of saved.keys()) {
    if (saved.size <= mostSaved) break;
    saved.delete(oldest);
  }
}

export function savedPlace(ticket: string): { key: string; show: (scroller: HTMLElement) => void } | null {
  const place = saved.get(ticket);
  return place === undefined ? null : { key: place.key, show: (scroller) => restore(scroller, place) };
}

// What floats next to the control that opened it: the browser's own popover, placed by its anchor, or by us where it has no anchors.

import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';

export interface Placement {
  side?: 'below' | 'above';
  align?: 'start' | 'end';
}

/** Lets a command open a control. */
export interface Opener {
  /** False where the control does not show. */
  open: () => boolean;
}

interface Popover<Anchor extends HTMLElement> {
  id: string;
  isOpen: ReadonlySignal<boolean>;
  anchor: RefObject<Anchor | null>;
  panel: RefObject<HTMLDivElement | null>;
  /** For the panel, besides its own classes. */
  panelClass: string;
  open(): void;
  close(): void;
}

const gapPx = 4;
const edgePx = 8;

/** Where a panel goes that fits on the screen, on the wanted side if there is room. */
export function placed(
  anchor: { left: number; top: number; width: number; height: number },
  panel: { width: number; height: number },
  screen: { width: number; height: number },
  { side = 'below', align = 'start' }: Placement,
  isRightToLeft: boolean,
): { left: number; top: number } {
  const below = anchor.top + anchor.height + gapPx;
  const above = anchor.top - gapPx - panel.height;
  const hasRoomBelow = below + panel.height <= screen.height - edgePx;
  const hasRoomAbove = above >= edgePx;
  const isBelow = side === 'below' ? hasRoomBelow || !hasRoomAbove : hasRoomBelow && !hasRoomAbove;
  const isAtLeft = (align === 'start') !== isRightToLeft;
  const wanted = isAtLeft ? anchor.left : anchor.left + anchor.width - panel.width;
  return {
    left: Math.max(edgePx, Math.min(wanted, screen.width - edgePx - panel.width)),
    top: Math.max(edgePx, Math.min(isBelow ? below : above, screen.height - edgePx - panel.height)),
  };
}

/**
 * The element that `anchor` names opens it with a click; the browser closes it with Escape or a click elsewhere.
 * @param given an element that someone else draws
 */
export function usePopover<Anchor extends HTMLElement>(
  placement: Placement = {},
  given?: RefObject<Anchor | null>,
): Popover<Anchor> {
  const id = `popover-${useId().replace(/\W/g, '')}`;
  const isOpen = useSignal(false);
  const own = useRef<Anchor>(null);
  const anchor = given ?? own;
  const panel = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const [opener, shown] = [anchor.current, panel.current];
    if (opener === null || shown === null) return;
    opener.style.setProperty('anchor-name', `--${id}`);
    shown.style.setProperty('position-anchor', `--${id}`);
    // The browser then knows that a press on this button closes the panel, and does not open it again.
    if (opener instanceof HTMLButtonElement) opener.popoverTargetElement = shown;
    const follow = (event: ToggleEvent) => {
      isOpen.value = event.newState === 'open';
    };
    shown.addEventListener('beforetoggle', follow);
    return () => shown.removeEventListener('beforetoggle', follow);
  }, []);

  useEffect(() => {
    if (!isOpen.value || CSS.supports('anchor-name: --a')) return;
    const place = () => {
      const [opener, shown] = [anchor.current, panel.current];
      if (opener === null || shown === null) return;
      const { width, height } = shown.getBoundingClientRect();
      const isRightToLeft = getComputedStyle(opener).direction === 'rtl';
      const screen = { width: innerWidth, height: innerHeight };
      const { left, top } = placed(opener.getBoundingClientRect(), { width, height }, screen, placement, isRightToLeft);
      Object.assign(shown.style, { left: `${left}px`, top: `${top}px` });
    };
    place();
    // A list that is filtered gets shorter.
    const sizes = new ResizeObserver(place);
    if (panel.current !== null) sizes.observe(panel.current);
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return () => {
      sizes.disconnect();
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
    };
  }, [isOpen.value]);

  const { side = 'below', align = 'start' } = placement;
  return {
    id,
    isOpen,
    anchor,
    panel,
    panelClass: `popover ${side} ${align}`,
    open() {
      if (!isOpen.peek() && anchor.current?.isConnected) panel.current?.showPopover();
    },
    close() {
      if (isOpen.peek() && panel.current?.isConnected) panel.current.hidePopover();
    },
  };
}

/** @returns closes the popover, and gives the focus back to what had it when a command opened it */
export function useOpener<Anchor extends HTMLElement>(
  { anchor, isOpen, ...popover }: Popover<Anchor>,
  handle: RefObject<Opener | null> | undefined,
): () => void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (handle === undefined) return;
    handle.current = {
      open() {
        if (anchor.current?.checkVisibility() !== true) return false;
        if (document.activeElement !== anchor.current) before.current = document.activeElement;
        anchor.current.focus();
        popover.open();
        return true;
      },
    };
    return () => {
      handle.current = null;
    };
  }, [handle]);
  useEffect(() => {
    if (!isOpen.value) before.current = null;
  }, [isOpen.value]);
  return () => {
    popover.close();
    const { current: wanted } = before;
    before.current = null;
    // After a shortcut the keyboard belongs to the page again.
    if (wanted === document.body) anchor.current?.blur();
    else if (wanted instanceof HTMLElement && wanted.isConnected) wanted.focus();
    else anchor.current?.focus();
  };
}

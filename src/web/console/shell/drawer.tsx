// The rail on small screens: it comes in from the side, over the page.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { closesBeside } from '../../shared/dialog.tsx';
import { Icon } from '../../shared/icons.tsx';
import { t } from './messages.ts';
import { closeOverlay } from './overlays.ts';

export function Drawer({ children }: { children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class="drawer" aria-label={t.menu} onClose={closeOverlay} {...closesBeside}>
      <button type="button" class="icon-button" aria-label={t.close} onClick={closeOverlay}>
        <Icon name="close" />
      </button>
      {children}
    </dialog>
  );
}

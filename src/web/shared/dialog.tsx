// A modal dialog: the browser's own, which keeps focus inside and closes with Escape.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { t } from './messages.ts';

/** For dialogs in which nothing can be lost: a click beside them closes them too. */
export const closesBeside = { closedby: 'any' } as object;

interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
}

export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // At once: until it is open, keys belong to the page.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    if (shown === null) return;
    // Without a field that wants the focus, the dialog has it, and no button is pressed by accident.
    shown.showModal();
    if (shown.querySelector('[autofocus]') === null) shown.focus();
    return () => {
      // Or a link in a drawing.
      if ((before instanceof HTMLElement || before instanceof SVGElement) && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class="dialog" tabIndex={-1} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="icon-button" aria-label={t.close} onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}

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
    const shown = dialog.current;
    if (shown === null) return;
    // Without a field that wants the focus, the dialog has it, and no button is pressed by accident.
    shown.showModal();
    if (shown.querySelector('[autofocus]') === null) shown.focus();
    // Only a dialog that closes gives the focus back: as long as it is open, nothing else can have it.
    return () => shown.close();
  }, []);
  const closed = () => {
    if (dialog.current !== null) onClose();
  };
  return (
    <dialog ref={dialog} class="dialog" tabIndex={-1} aria-labelledby={id} onClose={closed}>
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

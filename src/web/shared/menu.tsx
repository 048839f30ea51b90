// A button that opens a menu of actions, after the menu button of the WAI-ARIA practices.

import type { ComponentChildren, RefObject, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { now } from './clock.ts';
import { Icon } from './icons.tsx';
import { isLetter, movedBy, typeAhead, typedAhead } from './list-keys.ts';
import { type Opener, type Placement, useOpener, usePopover } from './popover.ts';

export interface MenuItem {
  text: string;
  icon?: ComponentChildren;
  /** The shortcut that does the same, as it is shown. */
  keys?: string | undefined;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** A choice among others rather than an action. */
  isChecked?: boolean;
  /** A line above it. */
  isApart?: boolean;
  run: () => void;
}

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  /** What the button shows. */
  children: ComponentChildren;
  buttonClass?: string;
  placement?: Placement;
  /** Lets a command open it. */
  handle?: RefObject<Opener | null>;
}

export function Menu({ label, items, children, buttonClass = 'icon-button', placement, handle }: MenuProps) {
  const popover = usePopover<HTMLButtonElement>(placement);
  const close = useOpener(popover, handle);
  const ahead = useRef(typeAhead());
  const isOpen = popover.isOpen.value;

  useLayoutEffect(() => {
    const first = buttons()[0];
    if (!isOpen || first === undefined) return;
    // Opened by a press, it is shown only now, and the browser looks for this.
    first.autofocus = true;
    first.focus();
  }, [isOpen]);

  function buttons(): HTMLElement[] {
    return [...(popover.panel.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
  }

  function press(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const all = buttons();
    const active = all.indexOf(document.activeElement as HTMLElement);
    // Single letters are for the menu, not shortcuts of the page.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    if (event.key === 'Tab') {
      popover.close();
      return;
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
      return;
    }
    const next = isLetter(event)
      ? typedAhead(items, ahead.current(event.key, now()), active)
      : event.key === 'ArrowDown' && active === all.length - 1
        ? 0
        : event.key === 'ArrowUp' && active === 0
          ? all.length - 1
          : movedBy(event.key, active, all.length);
    if (next === null) return;
    event.preventDefault();
    all[next]?.focus();
  }

  return (
    <>
      <button
        ref={popover.anchor}
        type="button"
        class={buttonClass}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={popover.id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          popover.open();
        }}
      >
        {children}
      </button>
      <div
        ref={popover.panel}
        id={popover.id}
        class={`${popover.panelClass} menu`}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={press}
      >
        {isOpen &&
          items.map((item) => (
            <Item
              key={item.text}
              item={item}
              onRun={() => {
                close();
                item.run();
              }}
            />
          ))}
      </div>
    </>
  );
}

function Item({ item, onRun }: { item: MenuItem; onRun: () => void }) {
  const isChoice = item.isChecked !== undefined;
  return (
    <button
      type="button"
      class={`menu-item${item.isDanger ? ' danger' : ''}${item.isApart ? ' apart' : ''}`}
      {...(isChoice ? { role: 'menuitemradio', 'aria-checked': item.isChecked } : { role: 'menuitem' })}
      aria-disabled={item.isDisabled || undefined}
      tabIndex={-1}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      onClick={() => {
        if (!item.isDisabled) onRun();
      }}
    >
      <span class="menu-icon">{isChoice ? item.isChecked && <Icon name="check" /> : item.icon}</span>
      <span class="menu-text">{item.text}</span>
      {item.keys !== undefined && (
        <span class="menu-keys" aria-hidden="true">
          {item.keys}
        </span>
      )}
    </button>
  );
}

// A combobox that shows its choice and opens a list, after the WAI-ARIA practices; with `search`, a field above the list filters it.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ComboboxProps, Option, OptionValue } from './combobox-option.ts';
import { ComboboxPanel } from './combobox-panel.tsx';
import { Icon } from './icons.tsx';
import { isLetter } from './list-keys.ts';
import { t } from './messages.ts';
import { useOpener, usePopover } from './popover.ts';

export function Combobox<Value extends OptionValue>(props: ComboboxProps<Value>) {
  const { label, options, search = false, handle, placement, isDisabled = false, problemId, onClose } = props;
  const popover = usePopover<HTMLButtonElement>(placement);
  const close = useOpener(popover, handle);
  const active = useSignal<string | null>(null);
  /** What was typed on the closed control, for the search field. */
  const begun = useSignal('');
  const wasOpen = useRef(false);
  const isOpen = popover.isOpen.value;
  const chosen: readonly Value[] = props.multiple ? props.value : [props.value];

  useEffect(() => {
    if (isOpen) props.onOpen?.();
    else if (wasOpen.current) {
      begun.value = '';
      onClose?.();
    }
    wasOpen.current = isOpen;
  }, [isOpen]);

  function choose(value: Value): void {
    if (props.multiple) {
      const { value: values, onChange } = props;
      onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value]);
    } else {
      close();
      if (value !== props.value) props.onChange(value);
    }
  }

  function pressClosed(event: KeyboardEvent): void {
    const isBeginning = isLetter(event) && !isDisabled;
    if (!isBeginning && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    // A letter opens the list only here: everywhere else it is a shortcut.
    if (isBeginning && !search) return;
    event.preventDefault();
    event.stopPropagation();
    if (isBeginning) begun.value = event.key;
    popover.open();
  }

  const shown = options.filter(({ value }) => chosen.includes(value));
  return (
    <>
      <button
        ref={popover.anchor}
        type="button"
        role="combobox"
        class={`combobox ${props.class ?? ''}`}
        aria-label={label}
        aria-haspopup={search ? 'dialog' : 'listbox'}
        aria-expanded={isOpen}
        aria-controls={search ? popover.id : `${popover.id}-list`}
        aria-activedescendant={isOpen && !search ? (active.value ?? undefined) : undefined}
        aria-invalid={problemId !== undefined || undefined}
        aria-describedby={problemId}
        disabled={isDisabled}
        onKeyDown={(event) => {
          if (!isOpen) pressClosed(event);
        }}
      >
        {props.children ?? <Chosen options={shown} />}
        <Icon name="chevron" />
      </button>
      <div
        ref={popover.panel}
        id={popover.id}
        class={`${popover.panelClass} combobox-panel`}
        popover="auto"
        {...(search ? { role: 'dialog', 'aria-label': label } : {})}
      >
        {isOpen && (
          <ComboboxPanel
            id={popover.id}
            label={label}
            options={options}
            chosen={chosen}
            isMultiple={props.multiple === true}
            hasSearch={search}
            begun={begun.peek()}
            active={active}
            keysFrom={popover.anchor}
            onChoose={choose}
            onCreate={props.onCreate}
            onType={props.onType}
            onLeave={() => {
              props.onEscape?.();
              close();
            }}
            onDone={props.multiple ? close : undefined}
            onTab={popover.close}
          />
        )}
      </div>
    </>
  );
}

function Chosen({ options }: { options: readonly Option<OptionValue>[] }) {
  if (options.length === 0) return <span class="combobox-value soft">{t.nothingChosen}</span>;
  return (
    <>
      {options.length === 1 && options[0]?.icon}
      <span class={options.every(({ value }) => value === null) ? 'combobox-value soft' : 'combobox-value'}>
        {options.map(({ text }) => text).join(', ')}
      </span>
    </>
  );
}

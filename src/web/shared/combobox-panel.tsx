// The open list of a combobox, with its search field.

import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { now } from './clock.ts';
import type { Option, OptionValue } from './combobox-option.ts';
import { Icon } from './icons.tsx';
import { folded, isLetter, matching, movedBy, typeAhead, typedAhead } from './list-keys.ts';
import { t } from './messages.ts';

interface PanelProps<Value extends OptionValue> {
  id: string;
  label: string;
  options: readonly Option<Value>[];
  chosen: readonly Value[];
  isMultiple: boolean;
  hasSearch: boolean;
  begun: string;
  /** Enter was pressed before the panel was there. */
  isEntered?: boolean;
  /** Options are still on their way; Enter waits for them. */
  isLoading?: boolean;
  /** The id of the active option, for the control that has the focus. */
  active: Signal<string | null>;
  /** The control that keeps the focus when there is no search field. */
  keysFrom: RefObject<HTMLElement | null>;
  onChoose: (value: Value) => void;
  onCreate: ((typed: string) => void) | undefined;
  onType?: ((typed: string) => void) | undefined;
  onLeave: () => void;
  onTab: () => void;
  /** Takes what was chosen: Enter once more after a choice, or Ctrl or ⌘ with Enter. */
  onDone: (() => void) | undefined;
}

type Press = (event: KeyboardEvent) => void;

/** More are found by typing. */
const mostShown = 200;

export function ComboboxPanel<Value extends OptionValue>(props: PanelProps<Value>) {
  const { id, label, options, chosen, isMultiple, hasSearch, active, onChoose, onCreate } = props;
  const { isLoading = false } = props;
  const typed = useSignal(props.begun);
  const list = useRef<HTMLDivElement>(null);
  const ahead = useRef(typeAhead());
  const isAwaiting = useRef(props.isEntered === true);
  const hasTyped = useRef(props.begun !== '');
  const finish = useFinish(props);
  useLayoutEffect(() => props.onType?.(typed.value), [typed.value]);
  const found = matching(options, typed.value).slice(0, mostShown);
  const wanted = typed.value.trim();
  const canCreate =
    onCreate !== undefined && wanted !== '' && !found.some(({ text }) => folded(text) === folded(wanted));
  const count = found.length + (canCreate ? 1 : 0);
  // What is still to be asked for is not missing.
  const isNone = count === 0 && !isLoading && !(props.onType !== undefined && wanted === '');
  const values = found.map(({ value }) => value);
  const position = useSignal(beginsAt(props, values));
  const at = Math.min(position.value, count - 1);

  function take(index: number): void {
    hasTyped.current = false;
    const option = found[index];
    if (option !== undefined) onChoose(option.value);
    else if (index === found.length && canCreate) {
      typed.value = '';
      onCreate(wanted);
    }
  }

  /** After typing, the end of the choice takes what the words found. */
  function takeTyped(): void {
    const option = found[at];
    if (hasTyped.current && wanted !== '' && !(option !== undefined && chosen.includes(option.value))) take(at);
  }

  function press(event: KeyboardEvent): void {
    if (finish(event, takeTyped)) return;
    // Shortcuts of the page stay possible; its single letters are not meant here.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === 'Tab') {
      props.onTab();
      return;
    }
    const isChoice = event.key === 'Enter' || (event.key === ' ' && !hasSearch);
    if (isChoice || event.key === 'Escape') {
      event.preventDefault();
      if (event.key === 'Escape') props.onLeave();
      else if (isLoading) isAwaiting.current = true;
      else take(at);
      return;
    }
    // What follows Enter was meant for the page after the list.
    if (isAwaiting.current && isLetter(event)) {
      event.preventDefault();
      return;
    }
    // In a field these move the cursor.
    if (hasSearch && (event.key === 'Home' || event.key === 'End')) return;
    const letter = !hasSearch && isLetter(event) ? ahead.current(event.key, now()) : null;
    const next = letter === null ? movedBy(event.key, at, count) : typedAhead(found, letter, at);
    if (next === null) return;
    event.preventDefault();
    position.value = next;
  }

  const input = useKeys(props, press);
  useLayoutEffect(() => {
    if (isLoading || !isAwaiting.current) return;
    isAwaiting.current = false;
    take(at);
  }, [isLoading]);
  const activeId = at < 0 ? null : `${id}-option-${at}`;
  useLayoutEffect(() => {
    active.value = activeId;
    list.current?.querySelector('.is-active')?.scrollIntoView({ block: 'nearest' });
  }, [activeId, typed.value]);

  const choice = (index: number) => ({
    id: `${id}-option-${index}`,
    isActive: index === at,
    onPoint() {
      position.value = index;
    },
    onTake: () => take(index),
  });

  return (
    <>
      {hasSearch && (
        <input
          ref={input}
          class="combobox-search"
          type="text"
          role="combobox"
          aria-label={t.searchIn(label)}
          aria-expanded={true}
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={activeId ?? undefined}
          placeholder={label}
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            position.value = isMultiple && event.currentTarget.value === '' ? -1 : 0;
            hasTyped.current = true;
            isAwaiting.current = false;
          }}
        />
      )}
      <div
        ref={list}
        class="combobox-list"
        role="listbox"
        // Browsers let Tab stop at what scrolls; the keys are heard elsewhere.
        tabIndex={-1}
        id={`${id}-list`}
        aria-label={label}
        aria-multiselectable={isMultiple || undefined}
        aria-busy={isLoading || undefined}
        // The focus stays where the keys are heard.
        onMouseDown={(event) => event.preventDefault()}
      >
        {found.map((option, index) => (
          <Choice key={option.value} {...choice(index)} isChosen={chosen.includes(option.value)} icon={option.icon}>
            <span class="option-text">{option.text}</span>
            {option.hint !== undefined && <span class="option-hint">{option.hint}</span>}
          </Choice>
        ))}
        {canCreate && (
          <Choice {...choice(found.length)} isChosen={false} icon={<Icon name="plus" />}>
            <span class="option-text">{t.createOption(wanted)}</span>
          </Choice>
        )}
      </div>
      <p class={isNone ? 'combobox-none' : 'hidden'} role="status">
        {isNone ? t.noneFound : ''}
      </p>
    </>
  );
}

/** Of several that are chosen, Enter must not take one away to which no key led. */
function beginsAt(
  { begun, chosen, isMultiple }: Pick<PanelProps<OptionValue>, 'begun' | 'chosen' | 'isMultiple'>,
  values: readonly OptionValue[],
): number {
  if (begun !== '') return 0;
  return isMultiple
    ? -1
    : Math.max(
        0,
        values.findIndex((value) => chosen.includes(value)),
      );
}

/** Ends the choice by its keys; false for every other key. */
function useFinish({ isEntered, onDone }: Pick<PanelProps<OptionValue>, 'isEntered' | 'onDone'>) {
  const hasJustChosen = useRef(isEntered === true);
  return (event: KeyboardEvent, takeTyped: () => void): boolean => {
    const isEnter = event.key === 'Enter' && !event.isComposing;
    const isMeant = hasJustChosen.current || event.ctrlKey || event.metaKey;
    hasJustChosen.current = isEnter;
    if (onDone === undefined || !isEnter || !isMeant) return false;
    event.preventDefault();
    event.stopPropagation();
    takeTyped();
    onDone();
    return true;
  };
}

/** Hears the keys of what has the focus: the search field, which it returns, or the control that keeps it. */
function useKeys({ hasSearch, keysFrom }: Pick<PanelProps<OptionValue>, 'hasSearch' | 'keysFrom'>, press: Press) {
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(press);
  latest.current = press;
  useLayoutEffect(() => {
    const heard = hasSearch ? input.current : keysFrom.current;
    const listen = (event: KeyboardEvent) => latest.current(event);
    heard?.addEventListener('keydown', listen);
    if (input.current !== null) {
      // Opened by a press, it is shown only now, and the browser looks for this.
      input.current.autofocus = true;
      input.current.focus();
    }
    return () => heard?.removeEventListener('keydown', listen);
  }, []);
  return input;
}

interface ChoiceProps {
  id: string;
  isActive: boolean;
  isChosen: boolean;
  icon: ComponentChildren;
  children: ComponentChildren;
  onPoint: () => void;
  onTake: () => void;
}

function Choice({ id, isActive, isChosen, icon, children, onPoint, onTake }: ChoiceProps) {
  // The keys are heard by the field or the control that has the focus.
  const forPointers = { onPointerMove: onPoint, onClick: onTake };
  return (
    <div
      role="option"
      id={id}
      class={isActive ? 'option is-active' : 'option'}
      aria-selected={isChosen}
      tabIndex={-1}
      {...forPointers}
    >
      {icon}
      {children}
      {isChosen && <Icon name="check" />}
    </div>
  );
}

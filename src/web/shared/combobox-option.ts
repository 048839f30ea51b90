// What a combobox is given.

import type { ComponentChildren, RefObject } from 'preact';
import type { Opener, Placement } from './popover.ts';

export type OptionValue = string | number | null;

export interface Option<Value extends OptionValue> {
  value: Value;
  text: string;
  /** Searched too, such as an address next to a name. */
  hint?: string | undefined;
  icon?: ComponentChildren;
}

interface Common<Value extends OptionValue> {
  /** Its accessible name. */
  label: string;
  options: readonly Option<Value>[];
  search?: boolean;
  /** Offers the typed text as a new option if no option matches it; needs `search`. */
  onCreate?: (typed: string) => void;
  /** The text of the search field, if the options depend on it. */
  onType?: (typed: string) => void;
  onOpen?: () => void;
  onClose?: () => void;
  /** Escape: comes before `onClose`. */
  onEscape?: () => void;
  /** Lets a command open it. */
  handle?: RefObject<Opener | null>;
  placement?: Placement;
  isDisabled?: boolean;
  /** What is wrong with the choice. */
  problemId?: string | undefined;
  class?: string;
  /** What the control shows instead of the names of what is chosen. */
  children?: ComponentChildren;
}

interface Single<Value extends OptionValue> extends Common<Value> {
  multiple?: false;
  value: Value;
  onChange: (value: Value) => void;
}

interface Multiple<Value extends OptionValue> extends Common<Value> {
  multiple: true;
  value: readonly Value[];
  /** After each change; the list stays open. */
  onChange: (values: Value[]) => void;
}

export type ComboboxProps<Value extends OptionValue> = Single<Value> | Multiple<Value>;

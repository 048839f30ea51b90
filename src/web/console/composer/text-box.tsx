// The text itself: Markdown with shortcuts, lists that go on, pasted files and links, and completion after `/` and `@`.

import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { movedBy } from '../../shared/list-keys.ts';
import { isMac } from '../shortcuts/shortcuts.ts';
import { takeBack } from '../undo.ts';
import { type Asked, askedAt } from './completion.ts';
import { CompletionList, type Offer } from './completion-list.tsx';
import {
  continued,
  edited,
  type MarkdownAction,
  markdownActions,
  markedOnce,
  pastedLink,
  type Written,
} from './markdown-edit.ts';
import { t } from './messages.ts';
import { markdownKeys } from './toolbar.tsx';

interface TextBoxProps {
  field: RefObject<HTMLTextAreaElement | null>;
  /** What the list of completions stands above. */
  frame: RefObject<HTMLElement | null>;
  /** For a label in sight. */
  id?: string;
  label: string;
  placeholder: string;
  value: string;
  isReadOnly: boolean;
  problemId?: string | undefined;
  onValue: (value: string) => void;
  onFiles: (files: File[]) => void;
  onSend: (isResolving: boolean) => void;
  /** What can be completed there; empty for nothing. */
  offers: (asked: Asked) => readonly Offer[];
  onTake: (offer: Offer, asked: Asked) => void;
}

export function TextBox(props: TextBoxProps) {
  const { field, label, value, isReadOnly, onValue } = props;
  const listId = useId();
  const asked = useSignal<Asked | null>(null);
  /** Where Escape closed the list: it stays closed until something else is asked for. */
  const closedAt = useSignal<number | null>(null);
  const active = useSignal(0);
  // The browser's own undo brings that text back. What was sent only comes back with the desk's.
  const isEmptiedByHand = useRef(false);
  const isAsking = asked.value !== null && asked.value.from !== closedAt.value;
  const offers = isAsking && asked.value !== null ? props.offers(asked.value) : [];
  const at = Math.min(active.value, offers.length - 1);

  function look(): void {
    const text = field.current;
    if (text === null) return;
    const found = text.selectionStart === text.selectionEnd ? askedAt(text.value, text.selectionStart) : null;
    if (found?.from !== asked.peek()?.from || found?.typed !== asked.peek()?.typed) active.value = 0;
    if (found === null) closedAt.value = null;
    asked.value = found;
  }

  function take(offer: Offer): void {
    const found = asked.peek();
    asked.value = null;
    closedAt.value = found?.from ?? null;
    if (found !== null) props.onTake(offer, found);
  }

  function pressInList(event: KeyboardEvent): boolean {
    if (offers.length === 0) return false;
    const offer = offers[at];
    const moved = event.key === 'Home' || event.key === 'End' ? null : movedBy(event.key, at, offers.length);
    if (moved !== null) active.value = moved;
    else if ((event.key === 'Enter' || event.key === 'Tab') && offer !== undefined) take(offer);
    else if (event.key === 'Escape') closedAt.value = asked.peek()?.from ?? null;
    else return false;
    return true;
  }

  function press(event: KeyboardEvent): boolean {
    const text = field.current;
    if (text === null || event.isComposing) return false;
    const hasMod = isMac ? event.metaKey : event.ctrlKey;
    if (hasMod && event.key === 'Enter') {
      props.onSend(event.shiftKey);
      return true;
    }
    if (pressInList(event)) return true;
    if (event.key === 'Escape') {
      text.blur();
      return true;
    }
    const isUndo = hasMod && event.key === 'z' && !event.altKey;
    if (isUndo && text.value === '' && !isEmptiedByHand.current) return takeBack();
    if (isReadOnly) return false;
    const action = hasMod && !event.altKey ? actionOf(event) : undefined;
    if (action !== undefined) {
      write(text, edited(writtenIn(text), action));
      return true;
    }
    if (event.key !== 'Enter' || event.shiftKey || hasMod || event.altKey) return false;
    const next = continued(writtenIn(text));
    if (next !== null) write(text, next);
    return next !== null;
  }

  return (
    <>
      <textarea
        ref={field}
        id={props.id}
        class="composer-text"
        aria-label={label}
        placeholder={props.placeholder}
        dir="auto"
        rows={3}
        value={value}
        readOnly={isReadOnly}
        aria-invalid={props.problemId !== undefined || undefined}
        aria-describedby={props.problemId}
        aria-autocomplete="list"
        aria-controls={offers.length > 0 ? listId : undefined}
        aria-activedescendant={offers.length > 0 ? `${listId}-${at}` : undefined}
        onInput={(event) => {
          const { currentTarget: text } = event;
          const once = event.data?.endsWith(' ') ? markedOnce(writtenIn(text)) : null;
          if (once !== null) return write(text, once);
          isEmptiedByHand.current = text.value === '';
          onValue(text.value);
          look();
        }}
        onSelect={look}
        onFocus={look}
        onBlur={() => {
          asked.value = null;
        }}
        onKeyDown={(event) => {
          if (!press(event)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
        onPaste={(event) => {
          const files = [...(event.clipboardData?.files ?? [])];
          const link = pastedLink(writtenIn(event.currentTarget), event.clipboardData?.getData('text/plain') ?? '');
          if (files.length === 0 && link === null) return;
          event.preventDefault();
          if (files.length > 0) props.onFiles(files);
          else if (link !== null) write(event.currentTarget, link);
        }}
      />
      <CompletionList
        id={listId}
        anchor={props.frame}
        label={asked.value?.kind === 'mention' ? t.colleagues : t.macros}
        side="above"
        offers={offers}
        active={at}
        onTake={take}
      />
    </>
  );
}

function actionOf({ code, shiftKey }: KeyboardEvent): MarkdownAction | undefined {
  return markdownActions.find(
    (action) => markdownKeys[action].code === code && markdownKeys[action].shift === shiftKey,
  );
}

export function writtenIn({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Written {
  return { text: value, start: selectionStart, end: selectionEnd };
}

/** Changes only what differs, through the browser's own editing, so that its undo still works. */
export function write(field: HTMLTextAreaElement, { text, start, end }: Written): void {
  const before = field.value;
  let head = 0;
  while (head < before.length && head < text.length && before[head] === text[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, text.length) - head;
  while (tail < most && before[before.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1;
  field.focus();
  field.setSelectionRange(head, before.length - tail);
  const inserted = text.slice(head, text.length - tail);
  const isSame = before === text;
  const isDone =
    isSame ||
    document.execCommand(inserted === '' ? 'delete' : 'insertText', false, inserted === '' ? undefined : inserted);
  if (!isDone) {
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(start, end);
}

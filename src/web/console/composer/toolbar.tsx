// The buttons above the text: Markdown, files, macros and the preview. The arrow keys move along them.

import type { TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { IconName } from '../../shared/icon-paths.ts';
import { Icon } from '../../shared/icons.tsx';
import { movedBy, tabKey } from '../../shared/list-keys.ts';
import { isMac } from '../shortcuts/shortcuts.ts';
import { type MarkdownAction, markdownActions } from './markdown-edit.ts';
import { t } from './messages.ts';

const icons: Record<MarkdownAction, IconName> = {
  bold: 'bold',
  italic: 'italic',
  code: 'code',
  link: 'link',
  bullets: 'bullets',
  numbers: 'numbers',
  quote: 'quote',
};

/** With Ctrl or ⌘, as `key` of the event; an upper-case letter stands for Shift. */
export const markdownKeys: Record<MarkdownAction, { code: string; shift: boolean; shown: string }> = {
  bold: { code: 'KeyB', shift: false, shown: 'B' },
  italic: { code: 'KeyI', shift: false, shown: 'I' },
  code: { code: 'KeyE', shift: false, shown: 'E' },
  link: { code: 'KeyK', shift: true, shown: 'K' },
  bullets: { code: 'Digit8', shift: true, shown: '8' },
  numbers: { code: 'Digit7', shift: true, shown: '7' },
  quote: { code: 'Digit9', shift: true, shown: '9' },
};

function actionText(action: MarkdownAction): string {
  const texts: Record<MarkdownAction, string> = {
    bold: t.bold,
    italic: t.italic,
    code: t.codeText,
    link: t.linkText,
    bullets: t.bulletList,
    numbers: t.numberedList,
    quote: t.quoteText,
  };
  return texts[action];
}

function keysText({ shift, shown }: (typeof markdownKeys)[MarkdownAction]): string {
  return isMac ? `${shift ? '⇧' : ''}⌘${shown}` : `Ctrl+${shift ? 'Shift+' : ''}${shown}`;
}

interface ToolbarProps {
  isPreview: boolean;
  canAttach: boolean;
  onAction: (action: MarkdownAction) => void;
  onFiles: (files: File[]) => void;
  onMacros: () => void;
  onPreview: () => void;
}

export function Toolbar({ isPreview, canAttach, onAction, onFiles, onMacros, onPreview }: ToolbarProps) {
  const files = useRef<HTMLInputElement>(null);
  function move(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:enabled')];
    const key = tabKey(event.key, getComputedStyle(event.currentTarget).direction === 'rtl');
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = key === null ? null : movedBy(key, at, buttons.length);
    if (next === null) return;
    event.preventDefault();
    buttons[next]?.focus();
  }
  return (
    <div class="composer-toolbar" role="toolbar" aria-label={t.formatting} onKeyDown={move}>
      {markdownActions.map((action) => (
        <ToolButton
          key={action}
          icon={icons[action]}
          label={actionText(action)}
          keys={keysText(markdownKeys[action])}
          isDisabled={isPreview}
          onPress={() => onAction(action)}
        />
      ))}
      {canAttach && (
        <>
          <ToolButton icon="clip" label={t.attachFiles} isDisabled={false} onPress={() => files.current?.click()} />
          <input
            ref={files}
            type="file"
            multiple
            hidden
            tabIndex={-1}
            aria-label={t.attachFiles}
            onChange={(event) => {
              onFiles([...(event.currentTarget.files ?? [])]);
              // The same file can be chosen again.
              event.currentTarget.value = '';
            }}
          />
        </>
      )}
      <ToolButton icon="macro" label={t.insertMacro} keys="/" isDisabled={isPreview} onPress={onMacros} />
      <ToolButton icon="eye" label={t.preview} isPressed={isPreview} isDisabled={false} onPress={onPreview} />
    </div>
  );
}

interface ToolButtonProps {
  icon: IconName;
  label: string;
  keys?: string;
  isPressed?: boolean;
  isDisabled: boolean;
  onPress: () => void;
}

function ToolButton({ icon, label, keys, isPressed, isDisabled, onPress }: ToolButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keys})`}
      aria-pressed={isPressed}
      disabled={isDisabled}
      // The text keeps the selection that the button changes.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}

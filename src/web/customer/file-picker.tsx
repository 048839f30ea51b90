// The button that opens the system's choice of files.

import { useRef } from 'preact/hooks';
import { Icon } from '../shared/icons.tsx';
import { t } from './messages.ts';
import type { FileRules } from './page-content.ts';

interface FilePickerProps {
  rules: FileRules;
  isQuiet?: boolean;
  onFiles: (files: File[]) => void;
}

export function FilePicker({ rules, isQuiet = false, onFiles }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={isQuiet ? 'button quiet' : 'button'} onClick={() => input.current?.click()}>
        <Icon name="clip" />
        <span class="button-text">{t.attachFiles}</span>
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        accept={rules.extensions.map((extension) => `.${extension}`).join(',')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

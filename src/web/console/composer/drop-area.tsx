// Files can be dropped on the text.

import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedDragEvent } from 'preact';
import { t } from './messages.ts';

interface DropAreaProps {
  isActive: boolean;
  onFiles: (files: File[]) => void;
  children: ComponentChildren;
}

export function DropArea({ isActive, onFiles, children }: DropAreaProps) {
  const isOver = useSignal(false);
  const hasFiles = (event: TargetedDragEvent<HTMLDivElement>) =>
    isActive && event.dataTransfer?.types.includes('Files') === true;
  const forPointers = {
    onDragOver(event: TargetedDragEvent<HTMLDivElement>) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    },
    onDragLeave(event: TargetedDragEvent<HTMLDivElement>) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) isOver.value = false;
    },
    onDrop(event: TargetedDragEvent<HTMLDivElement>) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = false;
      onFiles([...(event.dataTransfer?.files ?? [])]);
    },
  };
  return (
    <div class={isOver.value ? 'composer-box is-over' : 'composer-box'} {...forPointers}>
      {children}
      {isOver.value && <p class="drop-hint">{t.dropHere}</p>}
    </div>
  );
}

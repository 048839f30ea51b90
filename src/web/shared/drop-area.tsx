// Files can be dropped on what is inside.

import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedDragEvent } from 'preact';

interface DropAreaProps {
  class: string;
  /** What to do, while files are held above it. */
  hint: string;
  isActive: boolean;
  onFiles: (files: File[]) => void;
  children: ComponentChildren;
}

export function DropArea({ class: name, hint, isActive, onFiles, children }: DropAreaProps) {
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
    <div class={isOver.value ? `${name} is-over` : name} {...forPointers}>
      {children}
      {isOver.value && <p class="drop-hint">{hint}</p>}
    </div>
  );
}

// A saved view in the rail: its link, its menu, and dragging to another place.

import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { onDemand } from '../shell/on-demand.tsx';
import { savedViews, type View } from './views.ts';

const ViewMenu = onDemand(async () => (await import('../shell/on-demand-parts.ts')).ViewMenu);

interface SavedViewProps {
  view: View;
  /** The view that is being dragged. */
  dragged: Signal<number | null>;
  onDrop: () => void;
  children: ComponentChildren;
}

export function SavedView({ view, dragged, onDrop, children }: SavedViewProps) {
  const isTarget = useSignal(false);
  const ids = savedViews.value.map(({ id }) => id);
  // What comes from above takes the place behind the views that move up.
  const isBelow = ids.indexOf(dragged.value) < ids.indexOf(view.id);
  const target = isTarget.value ? ` target${isBelow ? ' below' : ''}` : '';
  return (
    <li
      class={`saved-view${dragged.value === view.id ? ' dragged' : ''}${target}`}
      draggable
      onDragStart={(event) => {
        dragged.value = view.id;
        event.dataTransfer?.setData('text/plain', view.name);
      }}
      onDragEnd={() => {
        dragged.value = null;
      }}
      onDragOver={(event) => {
        if (dragged.value === null) return;
        event.preventDefault();
        isTarget.value = true;
      }}
      onDragLeave={() => {
        isTarget.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        isTarget.value = false;
        onDrop();
      }}
    >
      {children}
      <ViewMenu view={view} />
    </li>
  );
}

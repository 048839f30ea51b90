// What a row offers under the pointer: the same as its keys.

import type { IconName } from '../../shared/icon-paths.ts';
import { Icon } from '../../shared/icons.tsx';
import { assignToMe, resolve } from './list-commands.ts';
import { t } from './messages.ts';
import { pick } from './targets.ts';

/** @param onPoint makes it the row that the keys are for */
export function RowActions({ onPoint }: { onPoint: () => void }) {
  const actions: [IconName, string, () => void][] = [
    ['person', t.listAssignToMe, assignToMe],
    ['moon', t.actionSnooze, () => pick('snooze')],
    ['done', t.resolve, resolve],
  ];
  return (
    <div role="gridcell" class="hover-actions">
      {actions.map(([icon, text, run]) => (
        <button
          key={icon}
          type="button"
          class="icon-button"
          tabIndex={-1}
          aria-label={text}
          title={text}
          onClick={() => {
            onPoint();
            run();
          }}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}

const longMs = 500;
const movedPx = 10;

/** A finger that rests on a row selects it, and the click that ends the touch does nothing. */
export function longPress(select: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };
  let isLong = false;
  const end = () => clearTimeout(timer);
  return {
    onPointerDown({ pointerType, clientX, clientY }: PointerEvent) {
      end();
      isLong = false;
      from = { x: clientX, y: clientY };
      if (pointerType !== 'touch') return;
      timer = setTimeout(() => {
        isLong = true;
        select();
      }, longMs);
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (Math.hypot(clientX - from.x, clientY - from.y) > movedPx) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu(event: Event) {
      if (isLong) event.preventDefault();
    },
    onClickCapture(event: Event) {
      if (!isLong) return;
      isLong = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

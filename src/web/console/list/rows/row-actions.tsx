// What a row offers under the pointer: the same as its keys.

import type { IconName } from '../../../shared/icon-paths.ts';
import { Icon } from '../../../shared/icons.tsx';
import { pick } from '../bulk/targets.ts';
import { assignToMe, hasSelection, resolve } from '../list-commands.ts';
import { t } from '../messages.ts';

/** @param onPoint makes it the row that the keys are for */
export function RowActions({ onPoint }: { onPoint: () => void }) {
  const actions: [IconName, string, () => void][] = [
    ['person', t.assignToMe, assignToMe],
    ['moon', t.snooze, () => pick('snooze')],
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

/**
 * A finger that rests on a row selects it, and the click that ends the touch does nothing. While rows are selected, a touch
 * selects another one or takes one back.
 */
export function longPress(toggle: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };
  let isLong = false;
  let isTouch = false;
  const end = () => clearTimeout(timer);
  return {
    onPointerDown({ pointerType, clientX, clientY }: PointerEvent) {
      end();
      isLong = false;
      from = { x: clientX, y: clientY };
      isTouch = pointerType === 'touch';
      if (!isTouch) return;
      timer = setTimeout(() => {
        isLong = true;
        toggle();
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
      const isToggle = !isLong && isTouch && hasSelection();
      if (!isLong && !isToggle) return;
      isLong = false;
      event.preventDefault();
      event.stopPropagation();
      if (isToggle) toggle();
    },
  };
}

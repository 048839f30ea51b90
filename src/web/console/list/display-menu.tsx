// How rows are shown: density, and which columns in which order.

import { Icon } from '../../shared/icons.tsx';
import { usePopover } from '../../shared/popover.ts';
import { onDemand } from '../shell/on-demand.tsx';
import { t } from './messages.ts';

const DisplayChoices = onDemand(async () => (await import('../shell/later.ts')).DisplayChoices);

export function DisplayMenu() {
  const popover = usePopover<HTMLButtonElement>({ align: 'end' });
  return (
    <>
      <button
        ref={popover.anchor}
        type="button"
        class="button quiet tool"
        aria-label={t.display}
        title={t.display}
        aria-haspopup="dialog"
        aria-expanded={popover.isOpen.value}
        aria-controls={popover.id}
      >
        <Icon name="columns" />
        <span class="tool-text">{t.display}</span>
      </button>
      <div
        ref={popover.panel}
        id={popover.id}
        class={`${popover.panelClass} display-panel`}
        popover="auto"
        role="dialog"
        aria-label={t.display}
      >
        {popover.isOpen.value && <DisplayChoices />}
      </div>
    </>
  );
}

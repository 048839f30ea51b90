// What a number means, behind a small button.

import { Icon } from '../../shared/icons.tsx';
import { usePopover } from '../../shared/popover.ts';
import { t } from './messages.ts';

export function Definition({ name, text }: { name: string; text: string }) {
  const popover = usePopover<HTMLButtonElement>();
  return (
    <>
      <button ref={popover.anchor} type="button" class="definition" aria-label={t.whatIs(name)} title={t.whatIs(name)}>
        <Icon name="help" />
      </button>
      <div ref={popover.panel} id={popover.id} class={`${popover.panelClass} definition-text`} popover="auto">
        <p>{text}</p>
      </div>
    </>
  );
}

// What can be completed in a text or a field: macros, colleagues or customers. The focus stays where one types.

import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Placement, usePopover } from '../../shared/popover.ts';

export interface Offer {
  id: number;
  text: string;
  hint?: string | undefined;
}

interface CompletionListProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  label: string;
  side: Placement['side'];
  offers: readonly Offer[];
  active: number;
  onTake: (offer: Offer) => void;
}

export function CompletionList({ id, anchor, label, side, offers, active, onTake }: CompletionListProps) {
  const popover = usePopover<HTMLElement>({ side }, anchor);
  const list = useRef<HTMLDivElement>(null);
  const isWanted = offers.length > 0;
  useLayoutEffect(() => {
    if (isWanted) popover.open();
    else popover.close();
  }, [isWanted]);
  useEffect(() => {
    list.current?.querySelector('.is-active')?.scrollIntoView({ block: 'nearest' });
  }, [active, offers]);
  return (
    <div ref={popover.panel} id={popover.id} class={`${popover.panelClass} completion`} popover="manual">
      {isWanted && (
        <div
          ref={list}
          id={id}
          class="combobox-list completion-list"
          role="listbox"
          aria-label={label}
          onMouseDown={(event) => event.preventDefault()}
        >
          {offers.map((offer, at) => {
            const forPointers = { onClick: () => onTake(offer) };
            return (
              <div
                key={offer.id}
                role="option"
                id={`${id}-${at}`}
                class={at === active ? 'option is-active' : 'option'}
                aria-selected={at === active}
                tabIndex={-1}
                {...forPointers}
              >
                <span class="option-text">{offer.text}</span>
                {offer.hint !== undefined && <span class="option-hint">{offer.hint}</span>}
              </div>
            );
          })}
        </div>
      )}
    </div>
  );
}

// A part of the details that can be folded away; this browser remembers which are.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from '../../shared/icons.tsx';
import { remembered } from '../remembered.ts';

const openness = remembered<Record<string, boolean>>('details', {});

interface SectionProps {
  id: string;
  title: string;
  isClosedAtFirst?: boolean;
  children: ComponentChildren;
}

export function Section({ id, title, isClosedAtFirst = false, children }: SectionProps) {
  const contentId = useId();
  const isOpen = openness.value[id] ?? !isClosedAtFirst;
  return (
    <div class="details-section">
      <h2>
        <button
          type="button"
          class="details-heading"
          aria-expanded={isOpen}
          aria-controls={contentId}
          onClick={() => {
            openness.value = { ...openness.value, [id]: !isOpen };
          }}
        >
          <Icon name="chevron" />
          {title}
        </button>
      </h2>
      <div id={contentId} class="details-content" hidden={!isOpen}>
        {isOpen && children}
      </div>
    </div>
  );
}

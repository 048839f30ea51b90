// A screen without content: what belongs there and how to get it.

import type { ComponentChildren } from 'preact';
import type { IconName } from '../../shared/icon-paths.ts';
import { Icon } from '../../shared/icons.tsx';

export function Empty({ icon, title, children }: { icon: IconName; title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

// A line of the rail: icon, name and count. Where the rail is narrow, only the icon is seen.

import { useId } from 'preact/hooks';
import type { IconName } from '../../shared/icon-paths.ts';
import { Icon } from '../../shared/icons.tsx';
import { Link } from '../route.ts';
import { closeOverlay } from './overlays.ts';

interface RailLinkProps {
  href: string;
  icon: IconName | { mark: string };
  name: string;
  isCurrent: boolean;
  isWarning?: boolean;
  count?: string;
  /** The count in words. */
  countText?: string;
}

export function RailLink({ href, icon, name, isCurrent, isWarning = false, count, countText }: RailLinkProps) {
  const id = useId();
  return (
    <Link
      href={href}
      class={`rail-link${isWarning ? ' warns' : ''}`}
      title={name}
      isCurrent={isCurrent}
      describedBy={count === undefined ? undefined : id}
      onClick={closeOverlay}
    >
      {typeof icon === 'string' ? (
        <Icon name={icon} />
      ) : (
        <span class="view-mark" data-mark={icon.mark} aria-hidden="true" />
      )}
      <span class="rail-name">{name}</span>
      {count !== undefined && (
        <>
          <span class="rail-count" aria-hidden="true">
            {count}
          </span>
          <span id={id} hidden>
            {countText}
          </span>
        </>
      )}
    </Link>
  );
}

// A page of a few words.

import type { ComponentChildren } from 'preact';
import type { IconName } from '../shared/icon-paths.ts';
import { Icon } from '../shared/icons.tsx';

interface NoteProps {
  icon: IconName;
  title: string;
  /** Below another heading of the page. */
  isPart?: boolean;
  children: ComponentChildren;
}

export function Note({ icon, title, isPart = false, children }: NoteProps) {
  return (
    <div class="card narrow note">
      <Icon name={icon} />
      {isPart ? <h2>{title}</h2> : <h1>{title}</h1>}
      {children}
    </div>
  );
}

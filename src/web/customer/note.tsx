// A page of a few words.

import type { ComponentChildren } from 'preact';
import type { IconName } from '../shared/icon-paths.ts';
import { Icon } from '../shared/icons.tsx';

interface NoteProps {
  icon: IconName;
  title: string;
  children: ComponentChildren;
}

export function Note({ icon, title, children }: NoteProps) {
  return (
    <div class="card narrow note">
      <Icon name={icon} />
      <h1>{title}</h1>
      {children}
    </div>
  );
}

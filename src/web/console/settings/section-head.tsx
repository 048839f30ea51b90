// The head of a section: its name, what it is for, and what can be added.

import type { ComponentChildren } from 'preact';
import { usePageTitle } from '../page-title.ts';
import { t } from './messages.ts';

interface SectionHeadProps {
  title: string;
  lead?: ComponentChildren;
  children?: ComponentChildren;
}

export function SectionHead({ title, lead, children }: SectionHeadProps) {
  usePageTitle(`${title} · ${t.settings}`);
  return (
    <header class="section-head">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p class="soft">{lead}</p>}
      </div>
      {children !== undefined && <div class="section-actions">{children}</div>}
    </header>
  );
}

// One part of the page about the system: a heading, what it is, what can be done, and what it shows.

import type { ComponentChildren } from 'preact';

interface PartProps {
  id: string;
  title: string;
  lead?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Part({ id, title, lead, actions, children }: PartProps) {
  return (
    <section class="part" aria-labelledby={id}>
      <header class="section-head">
        <div>
          <h2 id={id}>{title}</h2>
          {lead !== undefined && <p class="soft">{lead}</p>}
        </div>
        <div class="section-actions">{actions}</div>
      </header>
      {children}
    </section>
  );
}

// A section of the profile: its name, a sentence about it, and a panel with rows.

import type { ComponentChildren } from 'preact';

interface SectionProps {
  id: string;
  title: string;
  lead: ComponentChildren;
  action?: ComponentChildren;
  children: ComponentChildren;
}

export function Section({ id, title, lead, action, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <header>
        <div>
          <h2 id={`${id}-title`}>{title}</h2>
          <p class="soft">{lead}</p>
        </div>
        {action !== undefined && <div class="row-actions">{action}</div>}
      </header>
      <div class="panel">{children}</div>
    </section>
  );
}

interface RowProps {
  icon?: ComponentChildren;
  title: ComponentChildren;
  detail?: ComponentChildren;
  children?: ComponentChildren;
}

export function Row({ icon, title, detail, children }: RowProps) {
  return (
    <div class="row">
      {icon}
      <div class="row-text">
        <p class="row-title">{title}</p>
        {detail !== undefined && <p class="soft">{detail}</p>}
      </div>
      {children !== undefined && <div class="row-actions">{children}</div>}
    </div>
  );
}

export function State({ isOn, text }: { isOn: boolean; text: string }) {
  return (
    <span class={isOn ? 'state on' : 'state'}>
      <span class="dot" aria-hidden="true" />
      {text}
    </span>
  );
}

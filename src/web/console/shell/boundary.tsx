// Holds an error of a page, so that the shell around it goes on.

import { Component, type ComponentChildren } from 'preact';
import { Button } from '../../shared/button.tsx';
import { Notice } from '../../shared/notices.tsx';
import { t } from './messages.ts';

export class Boundary extends Component<{ children: ComponentChildren }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <main id="content" class="page-note" tabIndex={-1}>
        <h1>{t.brokenTitle}</h1>
        <Notice kind="problem">{t.brokenText}</Notice>
        <Button kind="primary" onClick={() => location.reload()}>
          {t.reload}
        </Button>
      </main>
    );
  }
}

// Holds an error of a page, so that the shell around it goes on. Another page starts without it.

import { Component, type ComponentChildren } from 'preact';
import { newestRequestId } from '../../shared/api.ts';
import { Button } from '../../shared/button.tsx';
import { Notice } from '../../shared/notices.tsx';
import { t } from './messages.ts';

interface BoundaryProps {
  /** Of the page. */
  name: string;
  children: ComponentChildren;
}

interface Failure {
  name: string;
  requestId: string | null;
}

export class Boundary extends Component<BoundaryProps, { failure: Failure | null }> {
  override state: { failure: Failure | null } = { failure: null };

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ failure: { name: this.props.name, requestId: newestRequestId() } });
  }

  override render() {
    const { failure } = this.state;
    if (failure === null || failure.name !== this.props.name) return this.props.children;
    return (
      <main id="content" class="page-note" tabIndex={-1}>
        <h1>{t.brokenTitle}</h1>
        <div role="alert">
          <Notice kind="problem">
            <p>{t.brokenText}</p>
            {failure.requestId !== null && (
              <p class="request-id">
                {t.requestId} <code>{failure.requestId}</code>
              </p>
            )}
          </Notice>
        </div>
        <Button kind="primary" onClick={() => location.reload()}>
          {t.reload}
        </Button>
      </main>
    );
  }
}

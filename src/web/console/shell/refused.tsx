// Shown instead of what the desk refused.

import type { Refusal } from '../../shared/api.ts';
import { Button } from '../../shared/button.tsx';
import { Notice } from '../../shared/notices.tsx';
import { refusalText } from '../../shared/refusal-text.ts';
import { t } from './messages.ts';
import { NotFound } from './not-found.tsx';

interface RefusedProps {
  refusal: Refusal;
  onRetry: () => void;
}

export function Refused({ refusal, onRetry }: RefusedProps) {
  return (
    <div class="refused">
      <div role="alert">
        <Notice kind="problem">
          <p>{refusalText(refusal)}</p>
          {refusal.requestId !== null && (
            <p class="request-id">
              {t.requestId} <code>{refusal.requestId}</code>
            </p>
          )}
        </Notice>
      </div>
      <Button onClick={onRetry}>{t.tryAgain}</Button>
    </div>
  );
}

/** Code that is loaded on demand, and that the desk did not give. */
export function PartMissing({ heading: Heading, onRetry }: { heading: 'h1' | 'h2'; onRetry: () => void }) {
  return (
    <>
      <Heading>{t.partMissing}</Heading>
      <p>{t.partMissingText}</p>
      <Button kind="primary" onClick={onRetry}>
        {t.tryAgain}
      </Button>
    </>
  );
}

/** A whole page of it. What the desk does not know, or does not show to this agent, is not found. */
export function RefusedPage({ title, refusal, onRetry }: RefusedProps & { title: string }) {
  if (refusal.status === 404) return <NotFound />;
  return (
    <main id="content" class="page-note" tabIndex={-1}>
      <h1>{title}</h1>
      <Refused refusal={refusal} onRetry={onRetry} />
    </main>
  );
}

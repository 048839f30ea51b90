// What to do when the desk did not give the rows.

import type { Refusal } from '../../shared/api.ts';
import { Button } from '../../shared/button.tsx';
import { Icon } from '../../shared/icons.tsx';
import { refusalText } from '../../shared/refusal-text.ts';
import { t } from './messages.ts';

interface RefusedProps {
  refusal: Refusal;
  onRetry: () => void;
}

export function RefusedList({ refusal, onRetry }: RefusedProps) {
  return (
    <div class="list-note" role="alert">
      <Icon name="alert" />
      <h2>{t.listFailed}</h2>
      <p>{refusalText(refusal)}</p>
      <RequestId refusal={refusal} />
      <Button onClick={onRetry}>{t.tryAgain}</Button>
    </div>
  );
}

/** Over rows that are still there. */
export function StaleRows({ refusal, onRetry }: RefusedProps) {
  return (
    <div class="list-stale" role="alert">
      <Icon name="alert" />
      <p>{refusalText(refusal)}</p>
      <Button kind="quiet" onClick={onRetry}>
        {t.tryAgain}
      </Button>
    </div>
  );
}

function RequestId({ refusal: { status, requestId } }: { refusal: Refusal }) {
  if (status < 500 || requestId === null) return null;
  return (
    <p class="request-id">
      {t.requestId} <code>{requestId}</code>
    </p>
  );
}

// Mail that waits for a decision.

import { t } from '../customers/messages.ts';

export function HeldMailPage() {
  return (
    <main id="content" tabIndex={-1}>
      <h1>{t.customers}</h1>
    </main>
  );
}

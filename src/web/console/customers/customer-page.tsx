// A customer with their newest tickets.

import { t } from './messages.ts';

export function CustomerPage() {
  return (
    <main id="content" tabIndex={-1}>
      <h1>{t.customers}</h1>
    </main>
  );
}

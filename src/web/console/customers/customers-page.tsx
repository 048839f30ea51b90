// The customers of the desk.

import { t } from './messages.ts';

export function CustomersPage() {
  return (
    <main id="content" tabIndex={-1}>
      <h1>{t.customers}</h1>
    </main>
  );
}

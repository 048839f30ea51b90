// The list of a view, or of a search.

import { t } from './messages.ts';

export function ListPage() {
  return (
    <main id="content" tabIndex={-1}>
      <h1>{t.tickets}</h1>
    </main>
  );
}

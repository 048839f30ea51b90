// What stands in the place of a page that there is not.

import { Link } from '../route.ts';
import { t } from './messages.ts';

export function NotFound() {
  return (
    <main id="content" class="page-note" tabIndex={-1}>
      <h1>{t.notFound}</h1>
      <p>{t.notFoundText}</p>
      <Link href="/inbox/mine">{t.toInbox}</Link>
    </main>
  );
}

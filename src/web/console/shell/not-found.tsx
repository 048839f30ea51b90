// Shown when no page matches the address.

import { usePageTitle } from '../page-title.ts';
import { Link } from '../route.ts';
import { t } from './messages.ts';

export function NotFound() {
  const title = t.notFound;
  usePageTitle(title);
  return (
    <main id="content" class="page-note" tabIndex={-1}>
      <h1>{t.notFound}</h1>
      <NotFoundNote />
    </main>
  );
}

/** Without a heading, for pages that have one. */
export function NotFoundNote() {
  return (
    <>
      <p>{t.notFoundText}</p>
      <Link href="/inbox/mine">{t.toInbox}</Link>
    </>
  );
}

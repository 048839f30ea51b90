// The frame around every page of the console: rail, top bar and the open page.

import { Button } from '../../shared/button.tsx';
import { ConfirmIdentity } from '../../shared/confirm-identity.tsx';
import { Toasts } from '../../shared/notices.tsx';
import { Link } from '../route.ts';
import { session } from '../session.ts';
import { Boundary } from './boundary.tsx';
import { t } from './messages.ts';
import { OpenPage } from './open-page.tsx';
import { signOut } from './sign-out.ts';

export function Shell() {
  const agent = session.value?.agent ?? null;
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {t.skipToContent}
      </a>
      <nav class="rail" aria-label={t.views}>
        <Link href="/inbox/mine">{t.toInbox}</Link>
        <Link href="/profile">{t.profile}</Link>
        <Button onClick={() => void signOut()}>{t.signOut}</Button>
      </nav>
      <Boundary>{agent !== null && <OpenPage />}</Boundary>
      {agent !== null && <ConfirmIdentity agent={agent} />}
      <Toasts />
    </div>
  );
}

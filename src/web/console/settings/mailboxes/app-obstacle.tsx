// What consent needs first: the desk's registration at the provider, which an owner makes once.

import type { MailProvider } from '../../../../domain/mail/mailbox.ts';
import { Notice } from '../../../shared/notices.tsx';
import { Link } from '../../route.ts';
import { can } from '../../session.ts';
import { useLiveData } from '../live-data.ts';
import { t } from '../messages.ts';
import { settingsPath } from '../settings-route.ts';
import { providerTexts } from './mailbox-fields.tsx';
import type { MailApp } from './wire.ts';

/** Null until the desk has answered. Only for those who manage. */
export function useMailApps(): readonly MailApp[] | null {
  return useLiveData<MailApp[]>('/mail-apps').shown.value?.data ?? null;
}

export function AppObstacle({ provider }: { provider: MailProvider }) {
  const name = providerTexts[provider]();
  return (
    <Notice kind="hint">
      <p>{can('own') ? t.registerFirst(name) : t.ownerRegistersFirst(name)}</p>
      {can('own') && (
        <p>
          <Link href={settingsPath('mail-apps', provider)}>{t.toMailApps}</Link>
        </p>
      )}
    </Notice>
  );
}

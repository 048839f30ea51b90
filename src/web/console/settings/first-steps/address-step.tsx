// How mail comes to the desk: by a mailbox, by a provider, or later.

import { Link } from '../../route.ts';
import type { Site } from '../../session.ts';
import { settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';

export function AddressStep({ site }: { site: Site }) {
  return (
    <>
      <p>{t.stepAddressLead}</p>
      <ul class="ways">
        <li>
          <Link href={settingsPath('mailboxes', 'new', site)}>{t.byMailbox}</Link>
          <p class="soft">{t.byMailboxText}</p>
        </li>
        <li>
          <Link href={settingsPath('inbound', undefined, site)}>{t.byProvider}</Link>
          <p class="soft">{t.byProviderText}</p>
        </li>
      </ul>
    </>
  );
}

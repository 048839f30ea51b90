// The bell of the top bar: how much is unread, and the way to it. It rings for what is new.

import { useEffect } from 'preact/hooks';
import { count } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { useCommands } from '../commands.ts';
import { unread as unreadNow, unreadText } from '../live/unread.ts';
import { t } from '../on-demand-messages.ts';
import { go, Link } from '../route.ts';
import { startRinging } from './ringing.ts';

const path = '/notifications';

export function Bell() {
  const unread = unreadNow.value?.unread ?? 0;
  const label = unread === 0 ? t.bellTitle : t.notificationsUnread(count(unread));
  useCommands('anywhere', [{ id: 'notifications', title: t.bellTitle, keys: ['g n'], run: () => go(path) }]);
  useEffect(startRinging, []);
  return (
    <Link href={path} class="icon-button bell" label={label} title={label}>
      <Icon name="bell" />
      {unread > 0 && <span class="bell-count">{unreadText()}</span>}
    </Link>
  );
}

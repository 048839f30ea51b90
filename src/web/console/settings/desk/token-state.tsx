// Where a token reaches, whether it still works, and when it was last used.

import { now } from '../../../shared/clock.ts';
import { ago, dateAndTime, day } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { t } from './messages.ts';
import { siteNames } from './role-and-sites.tsx';
import type { Token } from './wire.ts';

export const placeOf = ({ site }: Token) => siteNames(site === null ? [] : [site]);

export function TokenState({ token }: { token: Token }) {
  const { expires_at: expires, last_used_at: used } = token;
  const isOver = expires !== null && Date.parse(expires) <= now();
  return (
    <>
      {isOver ? (
        <span class="mailbox-state bad">
          <Icon name="alert" />
          {t.tokenExpired(day(expires))}
        </span>
      ) : (
        <span class="mailbox-state good">
          <Icon name="done" />
          {expires === null ? t.tokenForever : t.tokenValidUntil(day(expires))}
        </span>
      )}
      <span class="mailbox-times soft">
        {used === null ? (
          t.tokenUnused
        ) : (
          <time dateTime={used} title={dateAndTime(used)}>
            {t.passkeyUsedAt(ago(used, now()))}
          </time>
        )}
      </span>
    </>
  );
}

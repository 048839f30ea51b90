// Whether someone works here: in a word, with a shape and a colour, and when they were last seen.

import { now } from '../../../shared/clock.ts';
import { ago, dateAndTime } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { t } from './messages.ts';
import type { Person } from './wire.ts';

const invitationMs = 7 * 24 * 60 * 60_000;

export function hasJoined({ has_password: hasPassword, second_factors: factors, last_seen_at: seen }: Person): boolean {
  return hasPassword || seen !== null || factors.includes('passkey');
}

export function PersonState({ person }: { person: Person }) {
  const { is_active: isActive, invited_at: invited, last_seen_at: seen, second_factors: factors } = person;
  const waits = isActive && !hasJoined(person);
  const isOver = waits && (invited === null || now() - Date.parse(invited) > invitationMs);
  return (
    <>
      {!isActive ? (
        <span class="mailbox-state soft">
          <Icon name="pause" />
          {t.personDeactivated}
        </span>
      ) : isOver ? (
        <span class="mailbox-state warning">
          <Icon name="warning" />
          {invited === null ? t.personNotInvited : t.invitationOver}
        </span>
      ) : waits ? (
        <span class="mailbox-state soft">
          <Icon name="mail" />
          {t.personInvited}
        </span>
      ) : (
        <span class="mailbox-state good">
          <Icon name="done" />
          {t.personActive}
        </span>
      )}
      <span class="mailbox-times soft">
        {factors.length > 0 && <span>{factorTexts(factors)}</span>}
        {seen === null ? (
          hasJoined(person) && <span>{t.neverSeen}</span>
        ) : (
          <time dateTime={seen} title={dateAndTime(seen)}>
            {t.lastSeen(ago(seen, now()))}
          </time>
        )}
      </span>
    </>
  );
}

/** Recovery codes come with another factor. */
function factorTexts(factors: Person['second_factors']): string {
  const texts = { totp: t.totp, passkey: t.passkeys, recovery_code: null };
  return factors.flatMap((factor) => texts[factor] ?? []).join(', ');
}

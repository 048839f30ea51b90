// A table of switches: which event notifies where.

import type { ComponentChildren } from 'preact';
import type * as z from 'zod';
import type { NotificationKind } from '../../../domain/notifications/notification.ts';
import type { Switch } from '../../../domain/notifications/preferences.ts';
import type { preferencesShape } from '../../../http/wire/notifications/preferences.ts';
import { t } from '../profile/messages.ts';

export type Events = z.output<typeof preferencesShape>['events'];
type Words = readonly (readonly [NotificationKind, () => string])[];

const ofTickets: Words = [
  ['assigned', () => t.noticeAssigned],
  ['team_assigned', () => t.noticeTeamAssigned],
  ['team_waiting', () => t.noticeTeamWaiting],
  ['mentioned', () => t.noticeMentioned],
  ['customer_replied', () => t.noticeCustomerReplied],
  ['side_answered', () => t.noticeSideAnswered],
  ['sla_warning', () => t.noticeSlaWarning],
  ['sla_breached', () => t.noticeSlaBreached],
];
const ofDesk: Words = [
  ['mail_held', () => t.noticeMailHeld],
  ['channel_disabled', () => t.noticeChannelDisabled],
  ['mailbox_alarm', () => t.noticeMailboxAlarm],
  ['backup_failed', () => t.noticeBackupFailed],
  ['disk_low', () => t.noticeDiskLow],
];
const places = [
  ['inbox', () => t.placeInbox],
  ['desktop', () => t.placeDesktop],
  ['sound', () => t.placeSound],
  ['push', () => t.placePush],
  ['mail', () => t.byMail],
] as const;

/** What a switch is for, in words. */
export function switchLabel(name: string): string {
  const text = [...ofTickets, ...ofDesk].find(([kind]) => name.endsWith(`.${kind}`))?.[1]();
  const place = places.find(([one]) => name.startsWith(`${one}.`))?.[1]();
  return t.noticeBy(text ?? name, place ?? '');
}

interface MatrixProps {
  events: Events;
  /** With what only those who manage hear of. */
  isWhole: boolean;
  isFixed(name: Switch): boolean;
  onSwitch(kind: NotificationKind, place: string, isOn: boolean): void;
  /** Beside a switch. */
  beside?(name: Switch, label: string): ComponentChildren;
}

export function Matrix({ events, isWhole, isFixed, onSwitch, beside }: MatrixProps) {
  return (
    <table class="switches">
      <thead>
        <tr>
          <th scope="col">{t.noticeOf}</th>
          {places.map(([place, text]) => (
            <th scope="col" key={place}>
              {text()}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(isWhole ? [...ofTickets, ...ofDesk] : ofTickets).map(([kind, text]) => (
          <tr key={kind}>
            <th scope="row">{text()}</th>
            {places.map(([place, placeText]) => {
              const label = t.noticeBy(text(), placeText());
              const isHeld = isFixed(`${place}.${kind}`);
              return (
                <td key={place}>
                  <input
                    type="checkbox"
                    class="switch"
                    aria-label={label}
                    title={isHeld ? t.fixedByDesk : undefined}
                    disabled={isHeld}
                    checked={events[kind]?.[place] ?? false}
                    onChange={(event) => onSwitch(kind, place, event.currentTarget.checked)}
                  />
                  {beside?.(`${place}.${kind}`, label)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

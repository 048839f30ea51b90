// Snoozing: a menu of times, and a dialog for any other.

import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import { Dialog } from '../../../shared/dialog.tsx';
import { dateAndTime } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { Menu } from '../../../shared/menu.tsx';
import type { Opener } from '../../../shared/popover.ts';
import { t as done } from '../../on-demand-messages.ts';
import { can } from '../../session.ts';
import { changeTicket } from '../../tickets/change.ts';
import type { TicketDetail } from '../../wire.ts';
import { moment } from '../conversation/times.ts';
import { TicketIcon } from '../header/ticket-icons.tsx';
import { t } from '../messages.ts';
import { closeDialog, openDialog } from './dialogs.ts';
import { type SnoozeTime, snoozeTimeIn, snoozeTimes } from './snooze-times.ts';

type Snoozed = Pick<TicketDetail, 'ulid' | 'reference' | 'snoozed_until'>;

const texts: Record<SnoozeTime['name'], () => string> = {
  laterToday: () => t.snoozeLater,
  tomorrow: () => t.snoozeTomorrow,
  nextWeek: () => t.snoozeNextWeek,
  nextMonth: () => t.snoozeNextMonth,
};

function snooze(ticket: Snoozed, at: Date): void {
  const until = at.toISOString();
  const text = done.listDidSnooze(1, dateAndTime(until));
  void changeTicket([ticket.ulid], { snoozed_until: until }, { text });
}

export function SnoozeMenu({ ticket, handle }: { ticket: TicketDetail; handle: RefObject<Opener | null> }) {
  const until = ticket.snoozed_until ?? null;
  if (!can('write') || ticket.merged_into !== null) return null;
  return (
    <Menu
      label={t.snooze}
      buttonClass={`button plain header-button${until === null ? '' : ' chosen'}`}
      handle={handle}
      items={[
        ...snoozeTimes(new Date(now())).map(({ name, at }) => ({
          text: texts[name](),
          keys: moment(at.toISOString()),
          run: () => snooze(ticket, at),
        })),
        { text: t.snoozeOther, isApart: true, run: () => openDialog({ name: 'snooze' }) },
        ...(until === null
          ? []
          : [
              {
                text: t.snoozeEnd,
                isApart: true,
                run: () =>
                  void changeTicket([ticket.ulid], { snoozed_until: null }, { text: t.snoozeEnded(ticket.reference) }),
              },
            ]),
      ]}
    >
      <TicketIcon name="snooze" />
      <span class="button-label">{until === null ? t.snooze : t.snoozedUntil(moment(until))}</span>
    </Menu>
  );
}

/** The field's own form of a time, without a zone. */
function fieldTime(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

export function SnoozeDialog({ ticket }: { ticket: TicketDetail }) {
  const id = useId();
  const tomorrow = snoozeTimes(new Date(now())).find(({ name }) => name === 'tomorrow')?.at ?? new Date(now());
  const typed = useSignal(fieldTime(tomorrow));
  const isWrong = useSignal(false);

  function save(): void {
    const at = snoozeTimeIn(typed.value, new Date(now()));
    isWrong.value = at === null;
    if (at === null) return;
    closeDialog();
    snooze(ticket, at);
  }

  return (
    <Dialog title={t.snooze} onClose={closeDialog}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <p class="soft">{t.snoozeHint}</p>
        <div class="field">
          <label for={id}>{t.snoozeTime}</label>
          <input
            id={id}
            type="datetime-local"
            value={typed.value}
            aria-invalid={isWrong.value || undefined}
            aria-describedby={isWrong.value ? `${id}-problem` : undefined}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
            }}
          />
          {isWrong.value && (
            <p class="field-problem" id={`${id}-problem`} role="alert">
              <Icon name="alert" />
              <span>{t.snoozeTimeWrong}</span>
            </p>
          )}
        </div>
        <div class="dialog-actions">
          <Button onClick={closeDialog}>{t.cancel}</Button>
          <Button type="submit" kind="primary">
            {t.snooze}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

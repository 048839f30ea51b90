// Whether a reply is on its way: held, scheduled, sent by mail, or failed with the reason.

import { computed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { NotMailed } from '../../../../domain/tickets/participant.ts';
import type { Refusal } from '../../../shared/api.ts';
import { isolated } from '../../../shared/bidi.ts';
import { Button } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import { dateAndTime } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { announce } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { can } from '../../session.ts';
import { knownTicket, reload, ticketSignal } from '../../tickets/cache.ts';
import { about, reasonOf } from '../../tickets/change.ts';
import type { Message, TicketDetail } from '../../wire.ts';
import { listOf, moment } from '../conversation/times.ts';
import { TicketIcon } from '../header/ticket-icons.tsx';
import { t } from '../messages.ts';
import { isOwnNote } from './note-actions.tsx';

const soonMs = 61_000;

interface Shown {
  ticket: string;
  message: Message;
  /** Says to whom it went. */
  isNaming: boolean;
  mayReach: boolean;
}

/** Of the ticket as it is now: a message is drawn again only when it says something else itself. */
export function useOfTicket<Value>(
  ulid: string,
  message: Message,
  read: (ticket: TicketDetail | null) => Value,
): Value {
  const found = useMemo(() => {
    const state = ticketSignal(ulid);
    return computed(() => read(state.value.kind === 'shown' ? state.value.ticket : null));
  }, [ulid, message]);
  return found.value;
}

export function Delivery(shown: { ticket: string; message: Message }) {
  return shown.message.send_at == null && shown.message.delivery === null ? null : <Way {...shown} />;
}

function Way({ ticket, message }: { ticket: string; message: Message }) {
  const { recipients } = message;
  const isNaming = useOfTicket(ticket, message, (known) => namesPeople(known, recipients));
  const isReachable = useOfTicket(ticket, message, (known) => mayReach(known, byOutcome(recipients).lost));
  const shown = { ticket, message, isNaming, mayReach: isReachable };
  if (message.send_at != null) return <Waiting {...shown} sendAt={message.send_at} />;
  if (message.delivery === null) return null;
  if (isNaming) return <ToPeople {...shown} />;
  const { status, error, error_code: code, at } = message.delivery;
  if (status === 'queued' || status === 'sent') {
    return (
      <p class="delivery" title={dateAndTime(at)}>
        <TicketIcon name="mail" />
        {status === 'sent' ? t.deliverySent : t.deliveryQueued}
      </p>
    );
  }
  return <Failed {...shown} {...{ status, error, code }} />;
}

/** A line for those whom it reached, and one for each whom it did not. */
function ToPeople({ ticket, message: { ulid, recipients }, mayReach }: Shown) {
  const { reached, waiting, lost } = byOutcome(recipients);
  return (
    <div class="deliveries">
      {lost.length > 0 && (
        <div class="delivery failed">
          <Icon name="alert" />
          <ul>
            {lost.map(({ email, status, error, error_code: code }) => (
              <li key={email}>
                <bdi>{email}</bdi>: <strong>{status === 'failed' ? t.deliveryFailed : t.deliveryBounced}</strong>
                <Why error={error} code={code} />
              </li>
            ))}
          </ul>
          {mayReach && <Act text={t.sendAgain} act={() => sendAgain(ticket, ulid)} />}
        </div>
      )}
      {waiting.length > 0 && <Outcome text={t.deliveryQueued} people={waiting} />}
      {reached.length > 0 && <Outcome text={t.deliverySent} people={reached} />}
    </div>
  );
}

const namesOf = (people: readonly Recipient[]) =>
  listOf(
    people.map(({ name, email, as }) => {
      const shown = isolated(name || email);
      return as === 'bcc' ? t.deliveredAsBcc(shown) : shown;
    }),
  );
const addressesOf = (people: readonly Recipient[]) => people.map(({ email }) => email).join(', ');

function Outcome({ text, people }: { text: string; people: readonly Recipient[] }) {
  return (
    <p class="delivery" title={addressesOf(people)}>
      <TicketIcon name="mail" />
      <span>
        {text}: {namesOf(people)}
      </span>
    </p>
  );
}

type Recipient = Message['recipients'][number];

export function byOutcome(recipients: readonly Recipient[]) {
  const those = (...wanted: Recipient['status'][]) => recipients.filter(({ status }) => wanted.includes(status));
  return { reached: those('sent'), waiting: those('queued', null), lost: those('failed', 'bounced') };
}

/** Where a reply goes to the author and there is no one else, it says enough that it was sent. */
export function namesPeople(
  known: Pick<TicketDetail, 'author' | 'participants'> | null,
  recipients: readonly Recipient[],
): boolean {
  const isShared = known?.participants.some((one) => one.removed_at === null) ?? false;
  return (
    recipients.length > 1 || (recipients.length === 1 && (isShared || recipients[0]?.email !== known?.author?.email))
  );
}

/** Whom an agent removed gets it again only by name, in the menu of the message. */
export function mayReach(known: Pick<TicketDetail, 'participants'> | null, lost: readonly Recipient[]): boolean {
  const removed = known?.participants.filter((one) => one.removed_at !== null) ?? [];
  const isRemoved = ({ email }: Recipient) => removed.some((one) => one.email === email);
  return can('write') && (lost.length === 0 || !lost.every(isRemoved));
}

interface FailedProps extends Shown {
  status: 'failed' | 'bounced';
  error: string | null;
  code: NotMailed | null;
}

const whyTexts: Readonly<Record<NotMailed, () => string>> = {
  removed: () => t.notMailedRemoved,
  became_agent: () => t.notMailedAgent,
  own_address: () => t.notMailedOwnAddress,
  bounced_before: () => t.notMailedBounced,
  was_queued: () => t.notMailedQueued,
};

/** The words of a mail server are in its own language. */
function Why({ error, code }: Pick<FailedProps, 'error' | 'code'>) {
  if (error === null) return null;
  return <bdi> {code === null ? error : whyTexts[code]()}</bdi>;
}

function Failed({ ticket, message, mayReach, status, error, code }: FailedProps) {
  return (
    <div class="delivery failed">
      <Icon name="alert" />
      <span>
        <strong>{status === 'failed' ? t.deliveryFailed : t.deliveryBounced}</strong>
        <Why error={error} code={code} />
      </span>
      {mayReach && <Act text={t.sendAgain} act={() => sendAgain(ticket, message.ulid)} />}
    </div>
  );
}

function Waiting({ ticket, message, isNaming, sendAt }: Shown & { sendAt: string }) {
  const isNote = message.is_internal;
  const isSoon = Date.parse(sendAt) < now() + soonMs;
  return (
    <div class="delivery waiting">
      <TicketIcon name="snooze" />
      <span title={dateAndTime(sendAt)}>
        {isNote ? t.addedSoon : isSoon ? t.sendsSoon : t.sendsAt(moment(sendAt))}
        {isNaming && `: ${namesOf(message.recipients)}`}
      </span>
      {(isNote ? isOwnNote(message) : can('write')) && <Act text={t.withdraw} act={() => withdraw(ticket, message)} />}
    </div>
  );
}

function Act({ text, act }: { text: string; act: () => Promise<unknown> }) {
  const isBusy = useSignal(false);
  return (
    <Button
      kind="quiet"
      isBusy={isBusy.value}
      onClick={() => {
        isBusy.value = true;
        void act().finally(() => {
          isBusy.value = false;
        });
      }}
    >
      {text}
    </Button>
  );
}

// Calls about one message or ticket that are not a change of its fields.
const named = (ticket: string, text: string) => about(knownTicket(ticket)?.reference, text);

/** @param to of those whom it did not reach; all of them without it */
export async function sendAgain(ticket: string, message: string, to?: string): Promise<void> {
  const wanted = to === undefined ? {} : { to: [to] };
  const answer = await ask('POST', `/tickets/${ticket}/messages/${message}/resend`, wanted);
  if (answer.isOk) announce(named(ticket, t.sendsAgain));
  else announce(named(ticket, reasonOf(answer.refusal)), 'problem');
  await reload(ticket);
}

async function withdraw(ticket: string, { ulid, is_internal: isNote }: Message): Promise<void> {
  const answer = await ask('DELETE', `/tickets/${ticket}/messages/${ulid}`);
  if (answer.isOk) announce(named(ticket, isNote ? t.noteWithdrawn : t.withdrawn));
  else announce(named(ticket, withdrawalRefusal(answer.refusal, isNote)), 'problem');
  await reload(ticket);
}

function withdrawalRefusal(refusal: Refusal, isNote: boolean): string {
  if (refusal.code !== 'already_sent') return reasonOf(refusal);
  return isNote ? t.noteAlreadyAdded : t.alreadySent;
}

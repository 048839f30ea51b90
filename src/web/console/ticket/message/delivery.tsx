// Whether a reply is on its way: held, scheduled, sent by mail, or failed with the reason.

import { useSignal } from '@preact/signals';
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
import { knownTicket, reload } from '../../tickets/cache.ts';
import { about, reasonOf } from '../../tickets/change.ts';
import type { Message } from '../../wire.ts';
import { listOf, moment } from '../conversation/times.ts';
import { TicketIcon } from '../header/ticket-icons.tsx';
import { t } from '../messages.ts';
import { isOwnNote } from './note-actions.tsx';

const soonMs = 61_000;

export function Delivery({ ticket, message }: { ticket: string; message: Message }) {
  if (message.send_at != null) return <Waiting ticket={ticket} message={message} sendAt={message.send_at} />;
  if (message.delivery === null) return null;
  if (message.recipients.length > 1) return <ToSeveral ticket={ticket} message={message} />;
  const { status, error, error_code: code, at } = message.delivery;
  if (status === 'queued' || status === 'sent') {
    return (
      <p class="delivery" title={dateAndTime(at)}>
        <TicketIcon name="mail" />
        {status === 'sent' ? t.deliverySent : t.deliveryQueued}
      </p>
    );
  }
  return <Failed {...{ ticket, message, status, error, code }} />;
}

/** A line for those whom it reached, and one for each whom it did not. */
function ToSeveral({ ticket, message: { ulid, recipients } }: { ticket: string; message: Message }) {
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
          {mayReach(ticket, lost) && <Act text={t.sendAgain} act={() => sendAgain(ticket, ulid)} />}
        </div>
      )}
      {waiting.length > 0 && <Outcome text={t.deliveryQueued} people={waiting} />}
      {reached.length > 0 && <Outcome text={t.deliverySent} people={reached} />}
    </div>
  );
}

function Outcome({ text, people }: { text: string; people: readonly Recipient[] }) {
  const names = people.map(({ name, email, as }) => {
    const shown = isolated(name || email);
    return as === 'bcc' ? t.deliveredAsBcc(shown) : shown;
  });
  return (
    <p class="delivery" title={people.map(({ email }) => email).join(', ')}>
      <TicketIcon name="mail" />
      <span>
        {text}: {listOf(names)}
      </span>
    </p>
  );
}

type Recipient = Message['recipients'][number];

export function byOutcome(recipients: readonly Recipient[]) {
  const those = (...wanted: Recipient['status'][]) => recipients.filter(({ status }) => wanted.includes(status));
  return { reached: those('sent'), waiting: those('queued', null), lost: those('failed', 'bounced') };
}

/** Whom an agent removed gets it again only by name, in the menu of the message. */
export function mayReach(ticket: string, lost: readonly Recipient[]): boolean {
  const removed = knownTicket(ticket)?.participants.filter((one) => one.removed_at !== null) ?? [];
  const isRemoved = ({ email }: Recipient) => removed.some((one) => one.email === email);
  return can('write') && (lost.length === 0 || !lost.every(isRemoved));
}

interface FailedProps {
  ticket: string;
  message: Message;
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

function Failed({ ticket, message, status, error, code }: FailedProps) {
  return (
    <div class="delivery failed">
      <Icon name="alert" />
      <span>
        <strong>{status === 'failed' ? t.deliveryFailed : t.deliveryBounced}</strong>
        <Why error={error} code={code} />
      </span>
      {mayReach(ticket, message.recipients) && <Act text={t.sendAgain} act={() => sendAgain(ticket, message.ulid)} />}
    </div>
  );
}

function Waiting({ ticket, message, sendAt }: { ticket: string; message: Message; sendAt: string }) {
  const isNote = message.is_internal;
  const isSoon = Date.parse(sendAt) < now() + soonMs;
  return (
    <div class="delivery waiting">
      <TicketIcon name="snooze" />
      <span title={dateAndTime(sendAt)}>{isNote ? t.addedSoon : isSoon ? t.sendsSoon : t.sendsAt(moment(sendAt))}</span>
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

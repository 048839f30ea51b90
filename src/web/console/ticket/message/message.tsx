// One message of a conversation: a customer's, an agent's, or a note.

import { useSignal } from '@preact/signals';
import { isolated, withoutBidi } from '../../../shared/bidi.ts';
import { Button } from '../../../shared/button.tsx';
import { dateAndTime } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { Menu } from '../../../shared/menu.tsx';
import { can } from '../../session.ts';
import type { Message, TicketDetail } from '../../wire.ts';
import { timeOfDay } from '../conversation/times.ts';
import { Attachments } from '../files/attachments.tsx';
import { TicketIcon } from '../header/ticket-icons.tsx';
import { t } from '../messages.ts';
import { addPerson, calledBy, strangerOf } from '../participants.ts';
import { Avatar } from './avatar.tsx';
import { byOutcome, Delivery, mayReach, useOfTicket } from './delivery.tsx';
import { isReadAsText } from './mail-html.ts';
import { messageActions } from './message-actions.tsx';
import { MessageBody } from './message-body.tsx';
import { NoteEditor, useIsChanging } from './note-actions.tsx';

interface MessageViewProps {
  ticket: TicketDetail;
  message: Message;
  isFirst: boolean;
  isMarked: boolean;
}

export function MessageView({ ticket, message, isFirst, isMarked }: MessageViewProps) {
  const isAsText = useSignal(isReadAsText(message));
  const isChanging = useIsChanging(message.ulid);
  const name = withoutBidi(message.author_name);
  const when = dateAndTime(message.created_at);
  const kind = message.is_internal ? 'note' : message.is_agent ? 'from-agent' : 'from-customer';
  const mayReachAgain = useOfTicket(ticket.ulid, message, (known) =>
    mayReach(known, byOutcome(message.recipients).lost),
  );
  const stranger = strangerOf(message);
  const canAdd = stranger !== null && can('write') && ticket.merged_into === null;
  return (
    <article
      id={`message-${message.ulid}`}
      class={`message ${kind}${isMarked ? ' marked' : ''}${message.send_at == null ? '' : ' unsent'}`}
      aria-label={message.is_internal ? t.noteOf(name, when) : t.messageOf(name, when)}
      tabIndex={-1}
    >
      <Avatar name={name} />
      <div class="message-card">
        <header>
          <bdi class="speaker" title={message.author?.email}>
            {name}
          </bdi>
          <Badges message={message} />
          {message.via_link !== null && <ByLink link={message.via_link} />}
          <time dateTime={message.created_at} title={when}>
            {timeOfDay(message.created_at)}
          </time>
          <Menu
            label={t.messageActions(name)}
            placement={{ align: 'end' }}
            items={messageActions({ ticket, message, isFirst, isChanging, isAsText, mayReachAgain })}
          >
            <TicketIcon name="more" />
          </Menu>
        </header>
        {isChanging ? (
          <NoteEditor ticket={ticket} message={message} />
        ) : (
          <MessageBody
            ticket={ticket.ulid}
            message={message}
            isAsText={isAsText.value}
            onFail={() => {
              isAsText.value = true;
            }}
          />
        )}
        <Attachments ticket={ticket.ulid} files={filesOf(message, isAsText.value)} />
        <Delivery ticket={ticket.ulid} message={message} />
        {stranger !== null && (
          <div class="delivery">
            <Icon name="person" />
            <span>{t.strangerNote}</span>
            {canAdd && (
              <Button
                kind="quiet"
                label={`${t.addToTicket}: ${calledBy(stranger)}`}
                onClick={() => void addPerson(ticket, stranger)}
              >
                {t.addToTicket}
              </Button>
            )}
          </div>
        )}
      </div>
    </article>
  );
}

/** Pictures that the mail shows in its text are not shown again below it. */
function filesOf({ attachments, html }: Message, isAsText: boolean): Message['attachments'] {
  if (isAsText || html === null) return attachments;
  return attachments.filter(({ ulid }) => !html.includes(`data-cid="${ulid}"`));
}

function Badges({ message }: { message: Message }) {
  return (
    <>
      {message.is_internal && (
        <span class="badge note" title={t.noteHint}>
          <TicketIcon name="lock" />
          {t.noteBadge}
        </span>
      )}
      {message.edited_at !== null && (
        <span class="edited" title={dateAndTime(message.edited_at)}>
          {t.editedBadge}
        </span>
      )}
      {message.is_automated && <span class="badge">{t.automaticBadge}</span>}
      {message.sender_verified === false && (
        <span class="badge warning" title={t.unverifiedHint}>
          <Icon name="alert" />
          {t.unverifiedBadge}
        </span>
      )}
    </>
  );
}

function ByLink({ link }: { link: NonNullable<Message['via_link']> }) {
  const address = isolated(link.address);
  return link.is_confirmed ? (
    <span class="badge" title={t.linkHint(address)}>
      <TicketIcon name="link" />
      {t.linkBadge}
    </span>
  ) : (
    <span class="badge warning" title={t.unconfirmedHint(address)}>
      <Icon name="alert" />
      {t.unconfirmedBadge}
    </span>
  );
}

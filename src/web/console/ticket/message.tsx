// One message of a conversation: a customer's, an agent's, or a note.

import { useSignal } from '@preact/signals';
import { isolated, withoutBidi } from '../../shared/bidi.ts';
import { dateAndTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { Menu } from '../../shared/menu.tsx';
import { can } from '../session.ts';
import type { Message, TicketDetail } from '../wire.ts';
import { Attachments } from './attachments.tsx';
import { copyMessageLink } from './copying.ts';
import { Delivery } from './delivery.tsx';
import { openDialog } from './dialogs.ts';
import { Face } from './face.tsx';
import { isFormatted, isReadAsText } from './mail-html.ts';
import { MessageBody } from './message-body.tsx';
import { t } from './messages.ts';
import { changeText, isOwnNote, NoteEditor, useIsChanging } from './own-note.tsx';
import { TicketIcon } from './ticket-icons.tsx';
import { timeOfDay } from './times.ts';

interface MessageViewProps {
  ticket: Pick<TicketDetail, 'ulid' | 'site_id'>;
  message: Message;
  /** Nothing can be split off before the first one. */
  isFirst: boolean;
  isMarked: boolean;
}

export function MessageView({ ticket, message, isFirst, isMarked }: MessageViewProps) {
  const isAsText = useSignal(isReadAsText(message));
  const isChanging = useIsChanging(message.ulid);
  const name = withoutBidi(message.author_name);
  const when = dateAndTime(message.created_at);
  const kind = message.is_internal ? 'note' : message.is_agent ? 'from-agent' : 'from-customer';
  const isMail = message.body_format !== 'markdown' && isFormatted(message);
  return (
    <article
      id={`message-${message.ulid}`}
      class={`message ${kind}${isMarked ? ' marked' : ''}${message.send_at == null ? '' : ' unsent'}`}
      aria-label={message.is_internal ? t.noteOf(name, when) : t.messageOf(name, when)}
      tabIndex={-1}
    >
      <Face name={name} />
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
            items={[
              {
                text: t.copyMessageLink,
                icon: <TicketIcon name="link" />,
                run: () => void copyMessageLink(ticket.ulid, message.ulid),
              },
              ...(isMail
                ? [
                    {
                      text: isAsText.value ? t.showFormatted : t.showAsText,
                      icon: <TicketIcon name="file" />,
                      run: () => {
                        isAsText.value = !isAsText.value;
                      },
                    },
                  ]
                : []),
              ...(isOwnNote(message) && !isChanging
                ? [
                    {
                      text: t.changeNote,
                      icon: <Icon name="pencil" />,
                      isApart: true,
                      run: () => changeText(message.ulid, message.body),
                    },
                    {
                      text: t.deleteNote,
                      icon: <Icon name="bin" />,
                      isDanger: true,
                      run: () => openDialog({ name: 'delete-note', note: message.ulid }),
                    },
                  ]
                : []),
              ...(can('write') && !isFirst && message.send_at == null
                ? [
                    {
                      text: t.split,
                      icon: <TicketIcon name="split" />,
                      isApart: true,
                      run: () => openDialog({ name: 'split', message: message.ulid }),
                    },
                  ]
                : []),
            ]}
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

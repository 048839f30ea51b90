// What can be done with one message: the menu in its corner.

import type { Signal } from '@preact/signals';
import { isolated } from '../../../shared/bidi.ts';
import { Icon } from '../../../shared/icons.tsx';
import type { MenuItem } from '../../../shared/menu.tsx';
import { peopleOf } from '../../composer/goes-to.ts';
import { can } from '../../session.ts';
import type { Message, TicketDetail } from '../../wire.ts';
import { copyMessageLink } from '../copying.ts';
import { openDialog } from '../dialogs/dialogs.ts';
import { TicketIcon } from '../header/ticket-icons.tsx';
import { t } from '../messages.ts';
import { addPerson, calledBy, replyOnlyTo, strangerOf } from '../participants.ts';
import { quoteInReply } from '../side-conversations/side-conversations.ts';
import { byOutcome, sendAgain } from './delivery.tsx';
import { isFormatted } from './mail-html.ts';
import { changeText, isOwnNote } from './note-actions.tsx';

interface Shown {
  ticket: TicketDetail;
  message: Message;
  /** The first one can be split off if it is another customer's, after a merge. */
  isFirst: boolean;
  isChanging: boolean;
  isAsText: Signal<boolean>;
  /** Someone whom the reply did not reach was not removed since. */
  mayReachAgain: boolean;
}

export function messageActions(shown: Shown): MenuItem[] {
  const { ticket, message, isFirst, isChanging, isAsText } = shown;
  const isSent = message.send_at == null;
  const isMail = message.body_format !== 'markdown' && isFormatted(message);
  const items: (MenuItem | false)[] = [
    {
      text: t.copyMessageLink,
      icon: <TicketIcon name="link" />,
      run: () => void copyMessageLink(ticket.ulid, message.ulid),
    },
    ...(can('write') ? writing(shown) : []),
    isMail && {
      text: isAsText.value ? t.showFormatted : t.showAsText,
      icon: <TicketIcon name="file" />,
      run: () => {
        isAsText.value = !isAsText.value;
      },
    },
    message.has_original && {
      text: t.showOriginal,
      icon: <TicketIcon name="file" />,
      run: () => openDialog({ name: 'original', message: message.ulid }),
    },
    ...(isOwnNote(message) && message.send_at == null && !isChanging ? ownNote(message) : []),
    can('write') &&
      (!isFirst || isOfAnother(shown)) &&
      isSent && {
        text: t.split,
        icon: <TicketIcon name="split" />,
        isApart: true,
        run: () => openDialog({ name: 'split', message: message.ulid }),
      },
  ];
  return items.filter((item) => item !== false);
}

const isOfAnother = ({ ticket, message }: Shown) =>
  !message.is_agent && !message.is_internal && message.author?.email !== ticket.author?.email;

/** To customers and others outside. */
function writing({ ticket, message, mayReachAgain }: Shown): MenuItem[] {
  const { author } = message;
  const others = peopleOf(ticket).filter(({ email }) => email !== author?.email);
  const isAlone = others.length === 0 || author === null || author.anonymised_at !== null;
  const stranger = ticket.merged_into === null ? strangerOf(message) : null;
  const isSent = message.send_at == null;
  const items: (MenuItem | false)[] = [
    !isAlone && {
      text: t.replyOnlyTo(isolated(calledBy(author))),
      icon: <TicketIcon name="mail" />,
      run: () => replyOnlyTo(ticket, author),
    },
    isSent && {
      text: t.quoteInReply,
      icon: <TicketIcon name="back" />,
      run: () => quoteInReply(ticket.ulid, message.body),
    },
    isSent && {
      text: t.forward,
      icon: <TicketIcon name="next" />,
      run: () => openDialog({ name: 'forward', message: message.ulid }),
    },
    ...sendingAgain(ticket.ulid, message, mayReachAgain),
    stranger !== null && {
      text: t.addToTicket,
      icon: <Icon name="plus" />,
      run: () => void addPerson(ticket, stranger),
    },
  ];
  return items.filter((item) => item !== false);
}

/** To all whom it did not reach and who were not removed, or to one of them. */
function sendingAgain(ticket: string, { ulid, delivery, recipients }: Message, mayReachAgain: boolean): MenuItem[] {
  if (delivery?.status !== 'failed' && delivery?.status !== 'bounced') return [];
  const { lost } = byOutcome(recipients);
  const icon = <TicketIcon name="mail" />;
  const each = lost.map(({ email }) => ({
    text: t.sendAgainTo(isolated(email)),
    icon,
    run: () => void sendAgain(ticket, ulid, email),
  }));
  if (!mayReachAgain) return each;
  return [{ text: t.sendAgain, icon, run: () => void sendAgain(ticket, ulid) }, ...(lost.length > 1 ? each : [])];
}

function ownNote({ ulid, body }: Message): MenuItem[] {
  return [
    { text: t.changeNote, icon: <Icon name="pencil" />, isApart: true, run: () => changeText(ulid, body) },
    {
      text: t.deleteNote,
      icon: <Icon name="bin" />,
      isDanger: true,
      run: () => openDialog({ name: 'delete-note', note: ulid }),
    },
  ];
}

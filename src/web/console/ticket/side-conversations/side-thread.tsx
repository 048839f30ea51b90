// A side conversation in the conversation of its ticket: a thread of its own, which the customer never sees.

import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect } from 'preact/hooks';
import { withoutBidi } from '../../../shared/bidi.ts';
import { bound } from '../../../shared/bound.ts';
import { Button } from '../../../shared/button.tsx';
import { TextArea } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { dateAndTime } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { Menu } from '../../../shared/menu.tsx';
import { SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { toConversation } from '../../composer/follow-up.ts';
import { subjectText } from '../../list/messages.ts';
import { can } from '../../session.ts';
import { reload } from '../../tickets/cache.ts';
import type { SideConversation, TicketDetail } from '../../wire.ts';
import { timeOfDay } from '../conversation/times.ts';
import { Attachments } from '../files/attachments.tsx';
import { TicketIcon } from '../header/ticket-icons.tsx';
import { Avatar } from '../message/avatar.tsx';
import { PlainText } from '../message/plain-text.tsx';
import { t } from '../messages.ts';
import { ChosenFiles, useChosenFiles } from './chosen-files.tsx';
import { quoteInReply, useSideConversation } from './side-conversations.ts';

export function SideThread({ ticket, ulid, seq }: { ticket: TicketDetail; ulid: string; seq: number }) {
  const side = useSideConversation(ticket.ulid, ulid, seq);
  const submission = useSubmission();
  if (side === undefined) return null;
  const path = `/tickets/${ticket.ulid}/side-conversations/${ulid}`;

  async function close(isClosed: boolean): Promise<void> {
    const done = await submission.send(() => ask('PATCH', path, { is_closed: isClosed }));
    if (done !== null) void reload(ticket.ulid);
  }

  const names = side.people.map(({ name, email }) => name ?? email).join(', ');
  return (
    <section class="message note" aria-label={t.asideLabel(subjectText(side.subject))}>
      <Avatar name={names} />
      <div class="message-card">
        <header class="side-head">
          <div>
            <bdi class="speaker" title={side.people.map(({ email }) => email).join(', ')}>
              {withoutBidi(names)}
            </bdi>
            <span class="badge note" title={t.asideHint}>
              <TicketIcon name="lock" />
              {t.asideBadge}
            </span>
            {side.is_closed && <span class="badge">{t.asideClosed}</span>}
            <bdi class="soft">{subjectText(side.subject)}</bdi>
          </div>
          {can('write') && (
            <Menu
              label={t.asideLabel(subjectText(side.subject))}
              placement={{ align: 'end' }}
              items={[
                {
                  text: side.is_closed ? t.asideOpen : t.asideClose,
                  icon: <TicketIcon name="lock" />,
                  run: () => void close(!side.is_closed),
                },
              ]}
            >
              <TicketIcon name="more" />
            </Menu>
          )}
        </header>
        <SubmissionNotice submission={submission} fields={[]} />
        {side.messages.map((message) => (
          <SideMessage key={message.ulid} ticket={ticket} message={message} />
        ))}
        {can('write') && !side.is_closed && <Answer ticket={ticket} path={path} />}
      </div>
    </section>
  );
}

function SideMessage({ ticket, message }: { ticket: TicketDetail; message: SideConversation['messages'][number] }) {
  const { sender, body, quoted, created_at: at, deliveries } = message;
  const failed = deliveries.filter(({ status }) => status === 'failed');
  const name = message.is_agent ? message.agent_name : (sender?.name ?? sender?.email);
  return (
    <div class="side-message">
      <p>
        <bdi class="speaker" title={sender?.email}>
          {withoutBidi(name ?? '')}
        </bdi>{' '}
        {message.sender_verified === false && (
          <span class="badge warning" title={`${t.asideStranger} ${sender?.email ?? ''}`}>
            <Icon name="alert" />
            {t.unverifiedBadge}
          </span>
        )}{' '}
        <time class="soft" dateTime={at} title={dateAndTime(at)}>
          {timeOfDay(at)}
        </time>
      </p>
      <PlainText text={body} />
      {quoted !== null && (
        <details>
          <summary class="soft">{t.showQuoted}</summary>
          <PlainText text={quoted} />
        </details>
      )}
      <Attachments
        ticket={ticket.ulid}
        files={ticket.attachments.filter(({ id }) => message.attachment_ids.includes(id))}
      />
      {failed.map(({ email, error }) => (
        <p key={email} class="delivery" role="alert">
          <Icon name="alert" />
          <bdi>{email}</bdi>: {error}
        </p>
      ))}
      {!message.is_agent && can('write') && (
        <Button kind="quiet" onClick={() => quoteInReply(ticket.ulid, body)}>
          {t.quoteInReply}
        </Button>
      )}
    </div>
  );
}

function Answer({ ticket, path }: { ticket: TicketDetail; path: string }) {
  const submission = useSubmission();
  const isOpen = useSignal(false);
  const field = useId();
  const text = useSignal('');
  const chosen = useSignal<readonly number[]>([]);
  const along = useChosenFiles(ticket, (id, isChosen) => {
    const others = chosen.peek().filter((one) => one !== id);
    chosen.value = isChosen ? [...others, id] : others;
  });

  // The button that opened it is gone.
  useLayoutEffect(() => {
    if (!isOpen.value) return;
    const area = document.getElementById(field);
    area?.focus();
    area?.closest('form')?.scrollIntoView({ block: 'nearest' });
  }, [isOpen.value]);

  async function send(): Promise<void> {
    if (text.value.trim() === '') return submission.refuse({ body: t.required });
    const waiting = along.problem();
    if (waiting !== null) return submission.refuse({ attachment_ids: waiting });
    const said = { body: text.value, attachment_ids: chosen.value };
    const sent = await submission.send(() => ask('POST', `${path}/messages`, said));
    if (sent === null) return;
    text.value = '';
    chosen.value = [];
    toConversation(ticket.ulid);
    isOpen.value = false;
    void reload(ticket.ulid);
  }

  if (!isOpen.value)
    return (
      <div class="side-actions">
        <Button
          onClick={() => {
            isOpen.value = true;
          }}
        >
          {t.asideWrite}
        </Button>
      </div>
    );

  return (
    <Form submission={submission} onSubmit={() => void send()}>
      <SubmissionNotice submission={submission} fields={['body']} />
      <TextArea
        id={field}
        label={t.forwardText}
        name="body"
        rows={2}
        maxLength={10_000}
        problem={submission.problems.value.body}
        {...bound(text)}
      />
      <ChosenFiles ticket={ticket} chosen={chosen.value} files={along} />
      <div class="side-actions">
        <Button type="submit" isBusy={submission.isBusy.value}>
          {t.asideSend}
        </Button>
      </div>
    </Form>
  );
}

// What a held mail says, who seems to have sent it, and its files: a stranger's, and shown as safely as on a ticket.

import { useSignal } from '@preact/signals';
import type * as z from 'zod';
import { checksInWords } from '../../../domain/mail/sender-checks.ts';
import { spamInWords } from '../../../domain/mail/spam-check.ts';
import type { arrivedMessageShape } from '../../../http/wire/mail/inbound-mail.ts';
import { withoutBidi } from '../../shared/bidi.ts';
import { Button } from '../../shared/button.tsx';
import { fileSize } from '../../shared/file-size.ts';
import { dateAndTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { Notice } from '../../shared/notices.tsx';
import { t } from '../customers/messages.ts';
import { useFetched } from '../shell/fetched.ts';
import { Refused } from '../shell/refused.tsx';
import { MailFrame } from '../ticket/message/mail-frame.tsx';
import { PlainText } from '../ticket/message/plain-text.tsx';
import { type HeldMail, pathOf } from './held-mail.ts';

type Message = z.output<typeof arrivedMessageShape>;
type Person = NonNullable<Message['from']>;

export function HeldMessage({ mail }: { mail: HeldMail }) {
  const path = pathOf(mail);
  const { data, refusal, reload } = useFetched<{ data: Message }>(`${path}/message`);
  const reason = refusal.value;
  if (reason !== null) {
    // Another try would not help.
    const isFinal = reason.status === 404 || reason.status === 409;
    if (!isFinal) return <Refused refusal={reason} onRetry={reload} />;
    const text = reason.code === 'unreadable' ? t.mailUnreadable : t.mailGone;
    return (
      <div role="alert">
        <Notice kind="problem">{text}</Notice>
      </div>
    );
  }
  const message = data.value?.data;
  if (message === undefined) return <div class="held-loading" aria-busy="true" />;
  return (
    <>
      {mail.form === null && <Verdict verdict={message.sender_verdict} />}
      <Envelope message={message} found={mail} />
      <Body path={`/api/v1${path}/frame`} message={message} sender={mail.sender ?? t.unknownSender} />
      {message.is_cut && <p class="soft">{t.mailIsCut}</p>}
      <Files files={message.files} />
      <Headers headers={message.headers} />
    </>
  );
}

export function Headers({ headers }: Pick<Message, 'headers'>) {
  if (headers.length === 0) return null;
  return (
    <details>
      <summary>{t.allHeaders}</summary>
      <pre class="held-headers">{linesOf(headers)}</pre>
    </details>
  );
}

export const linesOf = (headers: Message['headers']) =>
  headers.map(({ name, value }) => `${name}: ${withoutBidi(value)}`).join('\n');

export function Verdict({ verdict }: { verdict: Message['sender_verdict'] }) {
  const texts = { fail: t.senderForged, none: t.senderUnproven, pass: t.senderProven };
  return <Notice kind={verdict === 'fail' ? 'problem' : verdict === 'pass' ? 'done' : 'hint'}>{texts[verdict]}</Notice>;
}

type Enveloped = Pick<Message, 'from' | 'reply_to' | 'to' | 'cc' | 'date' | 'envelope_from' | 'spam_score'>;

type Found = Pick<HeldMail, 'sender_checks' | 'spam_check'>;

export function Envelope({ message, found }: { message: Enveloped; found: Found }) {
  const { sender_checks: checks, spam_check: spam } = found;
  const { from, reply_to: replyTo, to, cc, date, envelope_from: returnPath, spam_score: score } = message;
  const people = (list: readonly Person[]) =>
    list.map(({ name, email }) => (name === null ? email : `${withoutBidi(name)} <${email}>`)).join(', ');
  const rows: [string, string][] = [
    [t.mailFrom, from === null ? t.unknownSender : people([from])],
    [t.mailReplyTo, replyTo === null || replyTo.email === from?.email ? '' : people([replyTo])],
    [t.mailToField, people(to)],
    [t.mailCc, people(cc)],
    [t.mailSent, date === null || Number.isNaN(Date.parse(date)) ? '' : dateAndTime(date)],
    [t.mailReturnPath, returnPath === null || returnPath === from?.email ? '' : returnPath],
    [t.mailChecks, checks === null ? '' : checksInWords(checks)],
    [t.mailSpamScore, spam === null ? String(score ?? '') : spamInWords(spam)],
  ];
  return (
    <dl class="held-envelope">
      {rows
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt class="soft">{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  );
}

function Body({ path, message, sender }: { path: string; message: Message; sender: string }) {
  const { text, html } = message;
  const isAsText = useSignal(html === null);
  return (
    <>
      {html !== null && (
        <div>
          <Button
            kind="quiet"
            onClick={() => {
              isAsText.value = !isAsText.value;
            }}
          >
            {isAsText.value ? t.mailAsHtml : t.mailAsText}
          </Button>
        </div>
      )}
      {html !== null && !isAsText.value ? (
        <MailFrame
          path={path}
          title={t.mailContent(sender)}
          html={html}
          address={null}
          hasHistory={false}
          onFail={() => {
            isAsText.value = true;
          }}
        />
      ) : text === '' ? (
        <p class="soft">{t.mailWithoutText}</p>
      ) : (
        <PlainText text={text} />
      )}
    </>
  );
}

function Files({ files }: { files: Message['files'] }) {
  if (files.length === 0) return null;
  return (
    <ul class="held-files" aria-label={t.mailFiles}>
      {files.map(({ filename, content_type: type, size, url }, at) => {
        const name = withoutBidi(filename);
        return (
          <li key={at}>
            <Icon name="clip" />
            {url === null ? (
              <bdi>{name}</bdi>
            ) : (
              <a href={new URL(url).pathname} download={name} aria-label={t.downloadMailFile(name)}>
                <bdi>{name}</bdi>
              </a>
            )}
            <span class="soft">{[fileSize(size), type ?? t.fileNotKept].join(' · ')}</span>
          </li>
        );
      })}
    </ul>
  );
}

// Where is that mail? Each mail that came or left, with every step that the desk knows of.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type * as z from 'zod';
import type { TraceStepKind } from '../../../../domain/mail/trace.ts';
import type { tracedMailShape } from '../../../../http/wire/mail/trace.ts';
import { withoutBidi } from '../../../shared/bidi.ts';
import { bound } from '../../../shared/bound.ts';
import { Button } from '../../../shared/button.tsx';
import { TextField } from '../../../shared/field.tsx';
import { count, dateAndTime } from '../../../shared/format.ts';
import type { IconName } from '../../../shared/icon-paths.ts';
import { Icon } from '../../../shared/icons.tsx';
import { Notice } from '../../../shared/notices.tsx';
import { subjectText } from '../../list/messages.ts';
import { go, Link, route } from '../../route.ts';
import { visibleSites } from '../../session.ts';
import { Empty } from '../../shell/empty.tsx';
import { useFetched } from '../../shell/fetched.ts';
import { EqualCommand } from '../equal-command.tsx';
import { Loading } from '../loading.tsx';
import { SectionHead } from '../section-head.tsx';
import { t } from './messages.ts';

type Mail = z.output<typeof tracedMailShape>;

const leastLetters = 3;
const mostLetters = 320;

export function TraceSection() {
  const asked = route.value.query.get('q') ?? '';
  const wanted = useSignal(asked);
  const isShort = useSignal(false);
  useEffect(() => {
    wanted.value = asked;
  }, [asked]);

  function search(event: Event): void {
    event.preventDefault();
    const text = wanted.value.trim();
    isShort.value = text.length < leastLetters;
    // In the address, so that it can be shared and the browser's Back leads to the search before.
    if (!isShort.value && text !== asked) go(`/settings/mail-trace?q=${encodeURIComponent(text)}`);
  }

  return (
    <>
      <SectionHead title={t.mailTrace} lead={t.mailTraceLead} />
      <search>
        <form class="panel trace-search" aria-label={t.mailTrace} onSubmit={search}>
          <div class="with-button">
            <TextField
              label={t.traceWhat}
              hint={t.traceHint}
              name="trace"
              maxLength={mostLetters}
              isFirst={asked === ''}
              problem={isShort.value ? t.traceTooShort : undefined}
              {...bound(wanted)}
            />
            <Button kind="primary" type="submit">
              {t.traceFind}
            </Button>
          </div>
        </form>
      </search>
      {asked.trim().length >= leastLetters && <Found key={asked} asked={asked} />}
      <EqualCommand words={['helpdesk', 'mail', 'trace', asked === '' ? 'mia@customer.example' : asked]} />
    </>
  );
}

function Found({ asked }: { asked: string }) {
  const path = `/mail/trace?q=${encodeURIComponent(asked)}`;
  const { data, refusal, reload } = useFetched<{ data: Mail[]; meta: { is_cut: boolean } }>(path);
  const mails = data.value?.data ?? null;
  return (
    <>
      <Loading of={{ shown: data, refusal, reload }} />
      {mails?.length === 0 && (
        <Empty icon="search" title={t.traceNothing}>
          {t.traceNothingText}
        </Empty>
      )}
      {mails !== null && mails.length > 0 && (
        <section aria-labelledby="traced" class="traced">
          <h2 id="traced">
            <span role="status">{t.traceFound(count(mails.length), mails.length)}</span>
          </h2>
          {data.value?.meta.is_cut === true && <Notice kind="hint">{t.traceIsCut}</Notice>}
          <ul>
            {mails.map((mail) => (
              <TracedMail key={`${mail.direction}${mail.id}`} mail={mail} isOpen={mails.length === 1} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const steps: Readonly<Record<TraceStepKind, { icon: IconName; tone: string; text: () => string }>> = {
  seen: { icon: 'eye', tone: 'soft', text: () => t.stepSeen },
  stored: { icon: 'check', tone: 'soft', text: () => t.stepStored },
  sender_checked: { icon: 'key', tone: 'soft', text: () => t.stepSenderChecked },
  waiting: { icon: 'clock', tone: 'warning', text: () => t.stepWaiting },
  filed: { icon: 'done', tone: 'good', text: () => t.stepFiled },
  not_filed: { icon: 'alert', tone: 'bad', text: () => t.stepNotFiled },
  forwarded: { icon: 'out', tone: 'soft', text: () => t.stepForwarded },
  settled: { icon: 'check', tone: 'soft', text: () => t.stepSettled },
  queued: { icon: 'clock', tone: 'soft', text: () => t.stepQueued },
  refused: { icon: 'warning', tone: 'warning', text: () => t.stepRefused },
  accepted: { icon: 'done', tone: 'good', text: () => t.stepAccepted },
  failed: { icon: 'alert', tone: 'bad', text: () => t.stepFailed },
  bounced: { icon: 'alert', tone: 'bad', text: () => t.stepBounced },
};

const telling: readonly TraceStepKind[] = ['bounced', 'failed', 'not_filed', 'accepted', 'filed', 'waiting', 'refused'];

function TracedMail({ mail, isOpen }: { mail: Mail; isOpen: boolean }) {
  const { direction, subject, from, to, ticket, at, message_id: messageId, site_slug: site } = mail;
  const outcome = telling.find((kind) => mail.steps.some((step) => step.kind === kind));
  const look = outcome === undefined ? null : steps[outcome];
  return (
    <li class="panel">
      <details open={isOpen}>
        <summary>
          <Icon name={direction === 'in' ? 'inbox' : 'out'} />
          <span class="traced-what">
            <strong>
              <bdi>{subjectText(subject)}</bdi>
            </strong>
            <span class="soft">
              {direction === 'in' ? t.cameFrom(from ?? '…') : t.wentTo(to ?? '…')}
              {visibleSites.value.length > 1 && site !== null && ` · ${site}`}
            </span>
          </span>
          <span class="traced-how">
            {look !== null && (
              <span class={`mailbox-state ${look.tone}`}>
                <Icon name={look.icon} />
                {look.text()}
              </span>
            )}
            <time class="soft" dateTime={at}>
              {dateAndTime(at)}
            </time>
          </span>
        </summary>
        <ol class="trace-steps">
          {mail.steps.map((step, index) => (
            <Step key={index} step={step} />
          ))}
        </ol>
        <footer>
          {messageId !== null && (
            <code class="soft">
              <bdi>{messageId}</bdi>
            </code>
          )}
          {ticket !== null && <Link href={`/tickets/${ticket}`}>{t.toTicket}</Link>}
        </footer>
      </details>
    </li>
  );
}

function Step({ step }: { step: Mail['steps'][number] }) {
  const { icon, tone, text } = steps[step.kind];
  return (
    <li class={tone}>
      <Icon name={icon} />
      <div>
        <p>
          <strong>{text()}</strong>
          <time class="soft" dateTime={step.at}>
            {dateAndTime(step.at)}
          </time>
        </p>
        {step.detail !== null && (
          <p class="soft">
            <bdi lang="en">{withoutBidi(step.detail)}</bdi>
          </p>
        )}
      </div>
    </li>
  );
}

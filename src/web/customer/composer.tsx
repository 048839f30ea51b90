// Where the customer answers. What was typed stays until it has arrived.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { DropArea } from '../shared/drop-area.tsx';
import { Notice, SubmissionNotice } from '../shared/notices.tsx';
import { useSubmission } from '../shared/submission.ts';
import { askForCode, CodeStep, ProveAddress } from './code-step.tsx';
import { keepDraft, readDraft } from './drafts.ts';
import { FilePicker } from './file-picker.tsx';
import { FileRows } from './file-rows.tsx';
import { refresh } from './fresh.ts';
import { t } from './messages.ts';
import type { FileRules, ShownThread } from './page-content.ts';
import { type Destination, type PickedFile, pick, sendAll, sendOne } from './picked-files.ts';
import { proved, waiting, withProof } from './proof.ts';
import { say } from './state.ts';

const longestAnswer = 10_000;

export function Composer({ thread, rules }: { thread: ShownThread; rules: FileRules }) {
  const { may, address_hint: hint, is_confirmed: isConfirmed, is_shared: isShared } = thread;
  const { ulid } = thread.ticket;
  const submission = useSubmission();
  const body = useSignal(readDraft(ulid));
  const files = useSignal<PickedFile[]>([]);
  /** Where the files of the sent answer go; null until it is sent. */
  const destination = useSignal<Destination | null>(null);
  const isOnline = useOnline();

  async function send(): Promise<void> {
    const text = body.peek().trim();
    if (text === '') return submission.refuse({ body: t.required });
    if (text.length > longestAnswer) return submission.refuse({ body: t.tooLong(String(longestAnswer)) });
    if (files.peek().some(({ problem }) => problem.peek() !== null)) return submission.refuse({ files: t.fixFields });
    const path = `/customer/ticket/messages?ticket=${ulid}`;
    const act = () => call<{ reply: { id: number } }>('POST', path, { body: text });
    const sent = await submission.send(() => withProof(act, send));
    if (sent === null) return;
    body.value = '';
    keepDraft(ulid, '');
    const to = {
      path: `/customer/ticket/attachments?ticket=${ulid}`,
      fields: { message_id: String(sent.reply.id) },
      headers: {},
    };
    destination.value = to;
    await sendAll(files.peek(), to);
    await arrived();
  }

  async function arrived(): Promise<void> {
    files.value = files.peek().filter(({ isSent }) => !isSent.peek());
    if (files.peek().length === 0) destination.value = null;
    await refresh();
    say(t.answerSent);
  }

  async function retry(picked: PickedFile): Promise<void> {
    const to = destination.peek();
    if (to !== null && (await sendOne(picked, to))) await arrived();
  }

  function remove(picked: PickedFile): void {
    picked.cancel();
    files.value = files.peek().filter((other) => other !== picked);
    if (files.peek().length === 0) destination.value = null;
    submission.clear();
  }

  function add(added: File[]): void {
    files.value = [...files.peek(), ...added.map((file) => pick(file, rules))];
    submission.clear();
  }

  if (!may.reply) return <Notice kind="hint">{t.answersOff}</Notice>;
  const isAsking = waiting.value !== null;
  return (
    <section class="answer" id="answering" tabIndex={-1} aria-label={t.yourAnswer}>
      {!isOnline && (
        <div role="status">
          <Notice kind="hint">{t.offline}</Notice>
        </div>
      )}
      <DropArea class="answer-box" hint={t.dropFiles} isActive={!submission.isBusy.value} onFiles={add}>
        <AnswerText
          value={body.value}
          problem={submission.problems.value.body}
          isBusy={submission.isBusy.value}
          onValue={(value) => {
            body.value = value;
            keepDraft(ulid, value);
            if (submission.problems.peek().body !== undefined) submission.clear();
          }}
          onFiles={add}
          onSend={() => void send()}
        />
        <FileRows files={files.value} onRemove={remove} onRetry={(picked) => void retry(picked)} />
        {destination.value !== null && files.value.some(({ problem }) => problem.value !== null) && (
          <Notice kind="problem">{t.someFilesFailed}</Notice>
        )}
        {!isAsking && (
          <div class="answer-foot">
            <FilePicker rules={rules} isQuiet onFiles={add} />
            <span class="soft grows">{body.value !== '' ? t.draftKept : isConfirmed ? t.writingAs(hint) : ''}</span>
            <Button
              kind="primary"
              isBusy={submission.isBusy.value}
              isDisabled={submission.waitSeconds.value > 0}
              onClick={() => void send()}
            >
              {t.send}
            </Button>
          </div>
        )}
      </DropArea>
      <SubmissionNotice submission={submission} fields={['body']} />
      {isAsking && <Confirming hint={isShared ? null : hint} ulid={ulid} />}
    </section>
  );
}

/** What has the focus is about to go. A field would open the keyboard of a phone. */
function focusAnswer(): void {
  document.getElementById('answering')?.focus({ preventScroll: true });
}

/** @param hint null: several people have the link, and the page cannot tell who this is */
function Confirming({ hint, ulid }: { hint: string | null; ulid: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Before anyone can press a key here: a later focus would take the one that they have reached.
  useLayoutEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const names = { ticket: ulid };
  const onProved = () => {
    focusAnswer();
    say(t.addressConfirmed);
    void proved();
  };
  const onCancel = () => {
    focusAnswer();
    waiting.value = null;
  };
  return (
    <div class="card proof">
      <h2 ref={heading} tabIndex={-1}>
        {t.confirmAddress}
      </h2>
      {hint === null ? (
        <ProveAddress
          names={names}
          label={t.confirmAddress}
          lead={t.sharedLinkLead}
          mailed={t.codeMailedIfOn}
          onProved={onProved}
          onCancel={onCancel}
        />
      ) : (
        <CodeStep
          lead={t.confirmAddressLead(hint)}
          mailed={t.codeMailed(hint)}
          names={names}
          ask={() => askForCode(names)}
          onProved={onProved}
          onCancel={onCancel}
          cancelText={t.cancel}
        />
      )}
    </div>
  );
}

interface AnswerTextProps {
  value: string;
  problem: string | undefined;
  isBusy: boolean;
  onValue: (value: string) => void;
  onFiles: (files: File[]) => void;
  onSend: () => void;
}

function AnswerText({ value, problem, isBusy, onValue, onFiles, onSend }: AnswerTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (problem !== undefined) field.current?.focus();
  }, [problem]);
  return (
    <>
      <textarea
        ref={field}
        id="answer"
        rows={4}
        dir="auto"
        aria-label={t.yourAnswer}
        placeholder={t.answerPlaceholder}
        value={value}
        readOnly={isBusy}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : 'answer-problem'}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
          event.preventDefault();
          onSend();
        }}
        onPaste={(event) => {
          const pasted = [...(event.clipboardData?.files ?? [])];
          if (pasted.length === 0) return;
          event.preventDefault();
          onFiles(pasted);
        }}
      />
      {problem !== undefined && (
        <p class="field-problem" id="answer-problem">
          {problem}
        </p>
      )}
    </>
  );
}

/** Whether the browser has a network. */
function useOnline(): boolean {
  const isOnline = useSignal(navigator.onLine);
  useEffect(() => {
    const look = () => {
      isOnline.value = navigator.onLine;
    };
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return isOnline.value;
}

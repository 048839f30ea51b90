// The form of a site: its files, its check against robots, and the receipt.

import { signal, useSignal } from '@preact/signals';
import { type Answer, call } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { DropArea } from '../shared/drop-area.tsx';
import { Notice, SubmissionNotice } from '../shared/notices.tsx';
import { useSubmission } from '../shared/submission.ts';
import { FilePicker } from './file-picker.tsx';
import { FileRows } from './file-rows.tsx';
import { bodyOf, forgetProblem, problemsOf, refusedFields, showProblems } from './form-fields.ts';
import { t } from './messages.ts';
import { personCheck } from './person-check.ts';
import { type PickedFile, pick, sendAll } from './picked-files.ts';
import { fill, replaceContent, site } from './place.tsx';
import { Receipt } from './receipt.tsx';
import type { FileRules } from './ticket-state.ts';

const files = signal<PickedFile[]>([]);
const check = personCheck();

export function startForm(): void {
  const form = document.querySelector<HTMLFormElement>('#form');
  if (form === null) return;
  const rules = JSON.parse(form.dataset.files ?? '{}') as FileRules;
  form.addEventListener('focusin', check.begin, { once: true });
  form.addEventListener('input', ({ target }) => {
    const field = target instanceof Element ? target.closest<HTMLElement>('[data-field]') : null;
    if (field !== null) forgetProblem(field);
  });
  form.addEventListener('paste', (event) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    if (pasted.length === 0) return;
    event.preventDefault();
    add(pasted, rules);
  });
  fill('files', <Files rules={rules} />);
  fill('send', <Send form={form} />);
}

function add(added: File[], rules: FileRules): void {
  files.value = [...files.peek(), ...added.map((file) => pick(file, rules))];
}

function remove(picked: PickedFile): void {
  picked.cancel();
  files.value = files.peek().filter((other) => other !== picked);
}

function Files({ rules }: { rules: FileRules }) {
  return (
    <DropArea class="drop" hint={t.dropFiles} isActive onFiles={(dropped) => add(dropped, rules)}>
      <FilePicker rules={rules} onFiles={(picked) => add(picked, rules)} />
      <FileRows files={files.value} onRemove={remove} onRetry={() => undefined} />
    </DropArea>
  );
}

interface Opened {
  /** Both are null if it waits for an agent. */
  data: { reference: string | null; upload_token: string | null };
}

function Send({ form }: { form: HTMLFormElement }) {
  const submission = useSubmission();
  const isChecking = useSignal(false);
  const isIncomplete = useSignal(false);
  const isUnproved = useSignal(false);

  async function send(): Promise<void> {
    const problems = problemsOf(form);
    const hasBadFile = files.peek().some(({ problem }) => problem.peek() !== null);
    isIncomplete.value = Object.keys(problems).length > 0 || hasBadFile;
    isUnproved.value = false;
    showProblems(form, problems);
    if (isIncomplete.value) return;
    const body = bodyOf(form);
    const opened = await submission.send(async () => {
      const answer = await sendWithProof(body);
      if (answer !== null && (answer.isOk || answer.refusal.code !== 'proof_refused')) return answer;
      isUnproved.value = true;
      return null;
    });
    if (opened !== null) await show(opened.data, String(body.email));
    else refused();
  }

  /** A proof that the desk refuses may have been made too long ago: one more is tried. */
  async function sendWithProof(body: Record<string, unknown>, isLast = false): Promise<Answer<Opened> | null> {
    isChecking.value = true;
    const proof = await check.proof();
    isChecking.value = false;
    if (proof?.isOk !== true) return proof;
    // A repeat after a lost answer carries the same proof, and opens no second ticket.
    const headers = { 'Idempotency-Key': proof.data.slice(-200) };
    const sent = { ...body, site: site(), proof: proof.data };
    const answer = await call<Opened>('POST', '/customer/tickets', sent, headers);
    if (answer.isOk || answer.refusal.code !== 'proof_refused' || isLast) return answer;
    check.forget();
    return await sendWithProof(body, true);
  }

  function refused(): void {
    const refusal = submission.refusal.peek();
    // Without an answer it may have arrived: the next try is the same request.
    if (refusal === null || refusal.status === 0) return;
    check.forget();
    const problems = refusedFields(form, refusal.fields);
    if (Object.keys(problems).length === 0) return;
    isIncomplete.value = true;
    showProblems(form, problems);
  }

  async function show({ reference, upload_token: token }: Opened['data'], email: string): Promise<void> {
    const to =
      token === null
        ? null
        : { path: '/customer/tickets/attachments', fields: {}, headers: { 'X-Upload-Token': token } };
    if (to !== null) await sendAll(files.peek(), to);
    document.title = t.receiptTitle;
    replaceContent(<Receipt reference={reference} email={email} files={files} destination={to} />);
  }

  form.onsubmit = (event) => {
    event.preventDefault();
    void send();
  };
  const known = Object.keys(refusedFields(form, submission.refusal.value?.fields ?? {}));
  return (
    <>
      <div role="alert">
        {isIncomplete.value && <Notice kind="problem">{t.fixFields}</Notice>}
        {isUnproved.value && <Notice kind="problem">{t.checkFailed}</Notice>}
      </div>
      <SubmissionNotice submission={submission} fields={known} />
      <div class="row">
        <Button
          type="submit"
          kind="primary"
          isBusy={submission.isBusy.value}
          isDisabled={submission.waitSeconds.value > 0}
        >
          {t.sendForm}
        </Button>
        {isChecking.value && (
          <span class="soft" role="status">
            {t.checkingPerson}
          </span>
        )}
      </div>
    </>
  );
}

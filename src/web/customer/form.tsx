// The form of a site: its fields, its files, its check against robots, and the receipt. Sending it needs the script.

import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type Answer, call } from '../shared/api.ts';
import { Submit } from '../shared/button.tsx';
import { DropArea } from '../shared/drop-area.tsx';
import { Aside, ChoiceField, describedBy, FieldNotes, TextArea, TextField } from '../shared/field.tsx';
import { sizeLimit } from '../shared/file-size.ts';
import { Form } from '../shared/form.tsx';
import { Notice, SubmissionNotice } from '../shared/notices.tsx';
import { type Field, type FormState, useForm } from '../shared/submission.ts';
import { FilePicker } from './file-picker.tsx';
import { FileRows } from './file-rows.tsx';
import { Forgetting } from './forgetting.tsx';
import { bodyOf, ownName, problemsOf, refusedFields, valuesIn } from './form-values.ts';
import { t } from './messages.ts';
import type { FormPage as FormPageShown, FormValues, ShownField, ShownPortal } from './page-content.ts';
import { NeedsScript } from './parts.tsx';
import { personCheck } from './person-check.ts';
import { type PickedFile, pick, sendAll } from './picked-files.ts';
import { Receipt } from './receipt.tsx';
import { isRunning, replaceContent } from './state.ts';

export function FormPage({ site, values }: FormPageShown) {
  return (
    <>
      <div class="card" id="door">
        <h1>{t.formTitle}</h1>
        <p class="soft">{t.formLead}</p>
        <NeedsScript text={t.sendNeedsScript} />
        <TicketForm site={site} values={values} />
      </div>
      <Forgetting />
    </>
  );
}

interface Opened {
  /** Both are null if it waits for an agent. */
  data: { reference: string | null; upload_token: string | null };
}

function TicketForm({ site, values }: Pick<FormPageShown, 'site' | 'values'>) {
  const form = useForm(values, ({ fields }) => refusedFields(site, fields));
  const files = useSignal<PickedFile[]>([]);
  const check = useMemo(() => personCheck(site.slug), []);
  const isChecking = useSignal(false);
  const isIncomplete = useSignal(false);
  const isUnproved = useSignal(false);
  const text = (name: string) => ({ id: name, ...(form.field(name) as Field<string>) });

  async function send(element: HTMLFormElement): Promise<void> {
    // Robots fill in what they find, and tell no one.
    const typed = valuesIn(element, form.values);
    const problems = problemsOf(site, typed, element);
    const hasBadFile = files.peek().some(({ problem }) => problem.peek() !== null);
    isIncomplete.value = Object.keys(problems).length > 0 || hasBadFile;
    isUnproved.value = false;
    form.refuse(problems);
    if (isIncomplete.value) return;
    const body = bodyOf(site, typed);
    const opened = await form.send(async () => {
      const answer = await sendWithProof(body);
      if (answer !== null && (answer.isOk || answer.refusal.code !== 'proof_refused')) return answer;
      isUnproved.value = true;
      return null;
    });
    if (opened !== null) return await show(opened.data, String(body.email));
    // Without an answer it may have arrived: the next try is the same request.
    if ((form.refusal.peek()?.status ?? 0) !== 0) check.forget();
    isIncomplete.value = Object.keys(form.problems.peek()).length > 0;
  }

  /** A proof that the desk refuses may have been made too long ago: one more is tried. */
  async function sendWithProof(body: Record<string, unknown>, isLast = false): Promise<Answer<Opened> | null> {
    isChecking.value = true;
    const proof = await check.proof();
    isChecking.value = false;
    if (proof?.isOk !== true) return proof;
    // A repeat after a lost answer carries the same proof, and opens no second ticket.
    const headers = { 'Idempotency-Key': proof.data.slice(-200) };
    const sent = { ...body, site: site.slug, proof: proof.data };
    const answer = await call<Opened>('POST', '/customer/tickets', sent, headers);
    if (answer.isOk || answer.refusal.code !== 'proof_refused' || isLast) return answer;
    check.forget();
    return await sendWithProof(body, true);
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

  function add(added: File[]): void {
    files.value = [...files.peek(), ...added.map((file) => pick(file, site.attachments))];
  }

  return (
    <Form
      submission={form}
      id="form"
      onFocusIn={check.begin}
      onPaste={(event) => {
        const pasted = [...(event.clipboardData?.files ?? [])];
        if (pasted.length === 0) return;
        event.preventDefault();
        add(pasted);
      }}
      onSubmit={(element) => void send(element)}
    >
      <div class="pair">
        <TextField
          {...text('email')}
          label={t.yourEmail}
          type="email"
          autocomplete="email"
          maxLength={255}
          isRequired
        />
        <TextField {...text('name')} label={t.yourName} aside={t.optional} autocomplete="name" maxLength={255} />
      </div>
      {site.categories.length > 0 && (
        <ChoiceField
          {...text('category_id')}
          label={t.category}
          aside={t.optional}
          options={withNone(site.categories.map(({ id, name }) => ({ value: String(id), text: name })))}
        />
      )}
      <TextField {...text('subject')} label={t.subject} maxLength={255} isProse isRequired />
      <TextArea {...text('message')} label={t.message} rows={7} maxLength={10_000} isRequired />
      {site.custom_fields.map((own) => (
        <OwnField key={own.key} own={own} form={form} />
      ))}
      <Trap name="website" />
      <Files site={site} files={files} onFiles={add} />
      <div id="send">
        {isRunning.value && (
          <>
            <div role="alert">
              {isIncomplete.value && <Notice kind="problem">{t.fixFields}</Notice>}
              {isUnproved.value && <Notice kind="problem">{t.checkFailed}</Notice>}
            </div>
            <SubmissionNotice submission={form} fields={Object.keys(form.problems.value)} />
            <div class="row">
              <Submit submission={form}>{t.sendForm}</Submit>
              {isChecking.value && (
                <span class="soft" role="status">
                  {t.checkingPerson}
                </span>
              )}
            </div>
          </>
        )}
      </div>
    </Form>
  );
}

const withNone = (options: { value: string; text: string }[]) => [{ value: '', text: t.chooseOne }, ...options];

/** A custom field of the site, by its type. */
function OwnField({ own, form }: { own: ShownField; form: FormState<FormValues> }) {
  const { label, type, options, is_required: isRequired } = own;
  const name = ownName(own);
  const field = form.field(name);
  if (Array.isArray(field.value)) return <Several own={own} {...field} value={field.value} />;
  const shared = {
    ...(field as Field<string>),
    id: name,
    label,
    aside: isRequired ? undefined : t.optional,
    hint: own.description === '' ? undefined : own.description,
    isRequired,
  };
  switch (type) {
    case 'boolean':
      return <Check {...shared} />;
    case 'textarea':
      return <TextArea {...shared} maxLength={10_000} />;
    case 'select':
      return <ChoiceField {...shared} options={withNone(options.map((option) => ({ value: option, text: option })))} />;
    case 'number':
    case 'date':
    case 'url':
    case 'email':
      return <TextField {...shared} type={type} />;
    default:
      return <TextField {...shared} isProse maxLength={255} />;
  }
}

function Check({
  name,
  label,
  hint,
  value,
  problem,
  onValue,
}: Field<string> & { label: string; hint?: string | undefined }) {
  return (
    <div class="field check">
      <input
        id={name}
        name={name}
        type="checkbox"
        value="true"
        checked={value !== ''}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={describedBy(name, hint, problem)}
        onChange={({ currentTarget }) => onValue(currentTarget.checked ? 'true' : '')}
      />
      <label for={name}>{label}</label>
      <FieldNotes id={name} hint={hint} problem={problem} />
    </div>
  );
}

function Several({
  own,
  name,
  value,
  problem,
  onValue,
}: { own: ShownField } & Field<string | string[]> & { value: string[] }) {
  const hint = own.description === '' ? undefined : own.description;
  return (
    <fieldset class="field">
      <legend>
        {own.label}
        <Aside text={own.is_required ? undefined : t.optional} />
      </legend>
      <div class="options">
        {own.options.map((option, at) => (
          <span key={option} class="option">
            <input
              id={`${name}.${at}`}
              name={name}
              type="checkbox"
              value={option}
              checked={value.includes(option)}
              aria-invalid={problem !== undefined || undefined}
              aria-describedby={describedBy(name, hint, problem)}
              onChange={({ currentTarget: { checked } }) =>
                onValue(own.options.filter((other) => (other === option ? checked : value.includes(other))))
              }
            />
            <label for={`${name}.${at}`}>{option}</label>
          </span>
        ))}
      </div>
      <FieldNotes id={name} hint={hint} problem={problem} />
    </fieldset>
  );
}

const trapName = 'Website';

/** Not for people: a robot fills it in. */
function Trap({ name }: { name: string }) {
  return (
    <div class="trap" aria-hidden="true">
      <label for={name}>{trapName}</label>
      <input id={name} name={name} type="text" tabIndex={-1} autocomplete="off" />
    </div>
  );
}

interface FilesProps {
  site: ShownPortal;
  files: Signal<PickedFile[]>;
  onFiles: (files: File[]) => void;
}

function Files({ site: { attachments: rules }, files, onFiles }: FilesProps) {
  function remove(picked: PickedFile): void {
    picked.cancel();
    files.value = files.peek().filter((other) => other !== picked);
  }
  return (
    <div class="field">
      <span class="label" id="files-label">
        {t.filesLabel}
        <Aside text={t.optional} />
      </span>
      <div id="files">
        {isRunning.value && (
          <DropArea class="drop" hint={t.dropFiles} isActive onFiles={onFiles}>
            <FilePicker rules={rules} onFiles={onFiles} />
            <FileRows files={files.value} onRemove={remove} onRetry={() => undefined} />
          </DropArea>
        )}
      </div>
      <p class="field-hint">{t.filesHint(rules.extensions.join(', '), sizeLimit(rules.max_bytes))}</p>
    </div>
  );
}

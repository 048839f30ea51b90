// The form for a new ticket: by mail to a customer, or without any mail.

import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { participantLimits } from '../../../domain/tickets/participant.ts';
import { ticketStatuses } from '../../../domain/tickets/ticket.ts';
import { Button, Submit } from '../../shared/button.tsx';
import { chance, now } from '../../shared/clock.ts';
import { DropArea } from '../../shared/drop-area.tsx';
import { ChoiceField, SwitchField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import { agents, categories, customFields, macros, priorities, senders } from '../catalogue.ts';
import { useCommands } from '../commands.ts';
import { newTicket } from '../composer/draft-types.ts';
import { draftOf } from '../composer/drafts.ts';
import { Files } from '../composer/files.tsx';
import { edited, withoutEmptyEnd } from '../composer/markdown-edit.ts';
import { t } from '../composer/messages.ts';
import { offersFor } from '../composer/offers.ts';
import { Preview, Signature, signed } from '../composer/preview.tsx';
import { changeOf } from '../composer/staged.ts';
import { StagedChips } from '../composer/staged-chips.tsx';
import { TextBox, write, writtenIn } from '../composer/text-box.tsx';
import { Toolbar } from '../composer/toolbar.tsx';
import { attachmentsOf, discardUpload, startUpload, type Upload } from '../composer/uploads.ts';
import { OtherVersion } from '../composer/warnings.tsx';
import { PeopleField } from '../customers/people-field.tsx';
import { enteredValue, shownValue } from '../details/field-value.ts';
import { usePageTitle } from '../page-title.ts';
import { go } from '../route.ts';
import { chosenSite, me, visibleSites } from '../session.ts';
import { t as shell } from '../shell/messages.ts';
import { reasonOf } from '../tickets/change.ts';
import { statusText } from '../tickets/status.tsx';
import type { Ticket } from '../wire.ts';
import { OwnField } from './custom-field.tsx';
import { CustomerField, type Found } from './customer-field.tsx';
import { bodyOf, type FormValues, filledMacro, valuesIn } from './form-values.ts';

const problemNames: Record<string, string> = { message: 'body', author_id: 'email' };

/** What is in the form, and what can be done with it. */
function useNewTicket() {
  const draft = draftOf(newTicket, 'reply');
  const { body, uploads, staged, fields } = draft.content.value;
  const values = valuesIn(fields, chosenSite.value ?? visibleSites.value[0]?.id ?? 0);
  const found = useSignal<Found>(new Map());
  const tried = useRef<{ said: string; key: string } | null>(null);
  const submission = useSubmission(({ fields: refused }) =>
    Object.fromEntries(
      Object.entries(refused).map(([name, words]) => [
        problemNames[name] ?? name.replace(/^cc\b.*/, 'cc'),
        words.join(' '),
      ]),
    ),
  );
  const isNote = !values.isTold && values.source === 'agent';
  const signature = useSignature(values.site_id, values.isTold);
  const label = values.isTold ? t.newTicketMessage : isNote ? t.note : t.newTicketSaid;

  useEffect(() => {
    const look = () => void (document.visibilityState === 'visible' ? draft.refresh() : draft.settle());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);

  function change(part: Partial<FormValues>): void {
    for (const name of Object.keys(part)) submission.forget(name);
    draft.change({ fields: { ...draft.content.peek().fields, ...part } });
  }

  function missing(): Record<string, string> {
    const words = withoutEmptyEnd(draft.content.peek().body).trim();
    const isFailed = uploads.some(({ problem }) => problem.peek() !== null);
    const isUnderWay = uploads.some(({ attachment }) => attachment.peek() === null);
    const body = words === '' ? t.writeSomething : isFailed ? t.fileFailed : isUnderWay ? t.stillUploading : null;
    return {
      ...(values.email.trim() === '' ? { email: t.required } : {}),
      ...(values.subject.trim() === '' ? { subject: t.required } : {}),
      ...(body === null ? {} : { body }),
    };
  }

  async function create(): Promise<void> {
    const lacking = missing();
    if (Object.keys(lacking).length > 0) return submission.refuse(lacking);
    const made = await submission.send(async () => {
      await draft.settle();
      const content = draft.content.peek();
      const ids = attachmentsOf(content.uploads).map(({ id }) => id);
      const authorId = found.peek().get(values.email.trim().toLowerCase());
      const numbers = (customFields(values.site_id).peek() ?? []).filter(({ type }) => type === 'number');
      const own = Object.fromEntries(
        numbers.map(({ key }) => [key, enteredValue('number', shownValue(values.custom_fields[key]))]),
      );
      const sent = { ...values, custom_fields: { ...values.custom_fields, ...own } };
      const wanted = bodyOf(sent, signed(content.body, await signature.ready()), ids, authorId);
      const said = JSON.stringify(wanted);
      // A repeat of what was not answered opens no second ticket.
      if (tried.current?.said !== said) tried.current = { said, key: `${now()}-${chance()}` };
      return ask<{ data: Ticket }>('POST', '/tickets', wanted, { 'Idempotency-Key': tried.current.key });
    });
    if (made === null) return;
    const change = changeOf(draft.content.peek().staged, me.peek()?.id ?? 0, now());
    draft.clear();
    announce(t.newTicketCreated);
    if (change !== null) {
      const answer = await ask('PATCH', `/tickets/${made.data.ulid}`, change);
      if (!answer.isOk) announce(t.stagedRefused(reasonOf(answer.refusal)), 'problem');
    }
    go(`/tickets/${made.data.ulid}`, { replace: true });
  }

  return {
    ...{ draft, body, uploads, staged, values, found, submission, isNote, label, signature, change, create },
    isEmpty: body === '' && uploads.length === 0 && staged === null && Object.keys(fields).length === 0,
    text: (name: 'email' | 'name' | 'subject' | 'tags') => ({
      name,
      value: values[name],
      problem: submission.problems.value[name],
      onValue: (value: string) => change({ [name]: value }),
    }),
    attach(files: readonly File[]) {
      const added = files.map((file) => startUpload(newTicket, values.site_id, file, () => draft.change({})));
      draft.change({ uploads: [...draft.content.peek().uploads, ...added] });
    },
    remove(upload: Upload) {
      draft.change({ uploads: draft.content.peek().uploads.filter((one) => one !== upload) });
      void discardUpload(newTicket, upload);
    },
    discard() {
      for (const upload of uploads) void discardUpload(newTicket, upload);
      draft.change({ body: '', uploads: [], staged: null, fields: {} });
      submission.clear();
    },
  };
}

/** Of the agent on this site, under what is mailed to the customer. */
function useSignature(siteId: number, isTold: boolean) {
  const text = useSignal('');
  const reading = useRef<Promise<void>>(Promise.resolve());
  useEffect(() => {
    let isOver = false;
    text.value = '';
    const read = async () => {
      const path = `/sites/${siteId}/signature/preview`;
      const answer = await ask<{ data: { signature: string } }>('POST', path, { for_new_ticket: true });
      if (answer.isOk && !isOver) text.value = answer.data.data.signature;
    };
    if (isTold) reading.current = read();
    return () => {
      isOver = true;
    };
  }, [siteId, isTold]);
  return {
    text: text.value,
    async ready() {
      await reading.current;
      return text.peek();
    },
    leaveOut() {
      text.value = '';
    },
  };
}

type NewTicket = ReturnType<typeof useNewTicket>;

const known = [
  'site_id',
  'email',
  'name',
  'cc',
  'from',
  'subject',
  'body',
  'tags',
  'priority_id',
  'category_id',
  'assigned_to',
];

export function NewTicketPage() {
  usePageTitle(shell.newTicket);
  const form = useNewTicket();
  const { draft, values, found, submission, isNote, change, create, text } = form;
  const sites = visibleSites.value;
  useCommands('page', [
    { id: 'create', title: t.newTicketCreate, keys: ['Mod+Enter'], isWhileTyping: true, run: () => void create() },
  ]);
  return (
    <main id="content" class="new-ticket" tabIndex={-1}>
      <header class="screen-head">
        <h1>{shell.newTicket}</h1>
        <p class="soft" role="status">
          {draft.keeping.value === 'saved' && t.draftSaved}
          {draft.keeping.value === 'browser' && t.draftInBrowser}
        </p>
      </header>
      <Form submission={submission} label={shell.newTicket} onSubmit={() => void create()}>
        <OtherVersion draft={draft} />
        <SubmissionNotice submission={submission} fields={known} />
        {sites.length > 1 && (
          <ChoiceField
            label={t.site}
            value={String(values.site_id)}
            options={sites.map(({ id, name }) => ({ value: String(id), text: name }))}
            // What was chosen of one site is not of another.
            onValue={(id) =>
              change({
                site_id: Number(id),
                priority_id: null,
                category_id: null,
                assigned_to: null,
                from: null,
                custom_fields: {},
              })
            }
          />
        )}
        <CustomerField siteId={values.site_id} found={found} input={text('email')} />
        {!found.value.has(values.email.trim().toLowerCase()) && <TextField label={t.name} {...text('name')} />}
        <CcField form={form} />
        <SenderField form={form} />
        <TextField label={t.subject} maxLength={255} isRequired isProse {...text('subject')} />
        <div class="new-ticket-row">
          <SwitchField
            label={t.newTicketTell}
            hint={values.isTold ? t.newTicketTold : isNote ? t.newTicketNoteOnly : t.newTicketUntold}
            value={values.isTold}
            onValue={(isTold) => change({ isTold })}
          />
          <ChoiceField
            label={t.newTicketSource}
            value={values.source}
            options={[
              { value: 'phone', text: t.sourcePhone },
              { value: 'email', text: t.sourceEmail },
              { value: 'agent', text: t.sourceOther },
            ]}
            onValue={(source) => change({ source })}
          />
        </div>
        <Words form={form} />
        <Properties form={form} />
        <div class="new-ticket-actions">
          <Submit submission={submission}>{t.newTicketCreate}</Submit>
          {!form.isEmpty && <Button onClick={form.discard}>{t.newTicketDiscard}</Button>}
        </div>
      </Form>
    </main>
  );
}

function CcField({ form: { values, submission, change } }: { form: NewTicket }) {
  return (
    <PeopleField
      id="new-ticket-cc"
      label={t.cc}
      add={t.addCc}
      addText={`+ ${t.cc}`}
      siteId={values.site_id}
      people={values.cc}
      without={[values.email.trim().toLowerCase()]}
      most={participantLimits.byApplication}
      hint={t.newTicketCcHint}
      problem={submission.problems.value.cc}
      onChange={(cc) => change({ cc })}
    />
  );
}

/** Where the site has a choice. */
function SenderField({ form: { values, submission, change } }: { form: NewTicket }) {
  const rows = senders(values.site_id).value ?? [];
  if (rows.length < 2) return null;
  return (
    <ChoiceField
      label={t.newTicketSender}
      value={String(values.from ?? rows.find((row) => row.is_default)?.id)}
      problem={submission.problems.value.from}
      options={rows.map(({ id, from }) => ({ value: String(id), text: `${from.name} · ${from.address}` }))}
      onValue={(id) => change({ from: Number(id) })}
    />
  );
}

function Words({ form }: { form: NewTicket }) {
  const { draft, body, uploads, staged, values, submission, isNote, label, change, create, attach, remove } = form;
  const { text: signature, leaveOut } = form.signature;
  const boxId = useId();
  const isPreview = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const problems = submission.problems.value;
  const { site_id: siteId } = values;

  function replace(from: number, to: number, added: string): void {
    if (field.current === null) return;
    const { text: before } = writtenIn(field.current);
    const caret = from + added.length;
    write(field.current, { text: before.slice(0, from) + added + before.slice(to), start: caret, end: caret });
  }

  function takeMacro(id: number, { from, to }: { from: number; to: number }): void {
    const macro = macros(siteId)
      .peek()
      ?.find((one) => one.id === id);
    if (macro === undefined) return;
    const filled = filledMacro(macro, values, visibleSites.peek().find((one) => one.id === siteId)?.name ?? '');
    replace(from, to, filled.body);
    if (filled.isWithoutNumber) announce(t.newTicketNoNumber, 'problem');
    change(filled.values);
    if (filled.snoozeHours !== undefined) draft.change({ staged: { snooze_hours: filled.snoozeHours } });
  }

  return (
    <div class="field">
      <label for={boxId}>{label}</label>
      <div ref={frame} class={`editor${isNote ? ' is-note' : ''}`}>
        <DropArea class="composer-box" hint={t.dropHere} isActive onFiles={attach}>
          {isPreview.value ? (
            <div class="composer-preview" tabIndex={-1}>
              <Preview source={body} signature={signature} />
            </div>
          ) : (
            <TextBox
              field={field}
              frame={frame}
              id={boxId}
              label={label}
              placeholder=""
              value={body}
              isReadOnly={submission.isBusy.value}
              problemId={problems.body === undefined ? undefined : 'new-ticket-body-problem'}
              onValue={(typed) => {
                submission.forget('body');
                draft.change({ body: typed });
              }}
              onFiles={attach}
              onSend={() => void create()}
              offers={(asked) => offersFor(asked, siteId, false)}
              onTake={(offer, asked) => takeMacro(offer.id, asked)}
            />
          )}
          {signature !== '' && !isPreview.value && <Signature text={signature} onRemove={leaveOut} />}
          <Files uploads={uploads} onRemove={remove} />
          <StagedChips siteId={siteId} staged={staged} onChange={(left) => draft.change({ staged: left })} />
        </DropArea>
        <p class="composer-problem" id="new-ticket-body-problem" role="alert">
          {problems.body ?? problems.attachment_ids}
        </p>
        <footer class="editor-footer">
          <Toolbar
            isPreview={isPreview.value}
            canAttach
            onAction={(action) => {
              if (field.current !== null) write(field.current, edited(writtenIn(field.current), action));
            }}
            onFiles={attach}
            onMacros={() => {
              const { length } = body;
              replace(length, length, body === '' || body.endsWith('\n') ? '/' : '\n/');
            }}
            onPreview={() => {
              isPreview.value = !isPreview.value;
            }}
          />
        </footer>
      </div>
    </div>
  );
}

function Properties({ form }: { form: NewTicket }) {
  const { values, submission, change, text } = form;
  const problems = submission.problems.value;
  const { site_id: siteId } = values;
  const own = (customFields(siteId).value ?? []).filter(({ is_active: isActive }) => isActive);
  const choice = (name: 'priority_id' | 'category_id' | 'assigned_to', none: string, rows: readonly Row[] | null) => ({
    value: String(values[name] ?? ''),
    problem: problems[name],
    options: [
      { value: '', text: none },
      ...(rows ?? [])
        .filter(({ is_active: isActive }) => isActive)
        .map(({ id, name: shown }) => ({ value: String(id), text: shown })),
    ],
    onValue: (value: string) => change({ [name]: value === '' ? null : Number(value) }),
  });
  return (
    <div class="new-ticket-grid">
      <ChoiceField
        label={t.newTicketAssignee}
        {...choice('assigned_to', t.newTicketUnassigned, agents(siteId).value ?? [])}
      />
      <ChoiceField
        label={t.status}
        value={values.status}
        problem={problems.status}
        options={ticketStatuses.map((status) => ({ value: status, text: statusText(status) }))}
        onValue={(status) => change({ status })}
      />
      <ChoiceField label={t.priority} {...choice('priority_id', t.newTicketUsual, priorities(siteId).value ?? [])} />
      <ChoiceField label={t.category} {...choice('category_id', t.newTicketNone, categories(siteId).value ?? [])} />
      <TextField label={t.tags} hint={t.newTicketTagsHint} {...text('tags')} />
      {own.map((field) => (
        <OwnField
          key={field.key}
          field={field}
          value={values.custom_fields[field.key]}
          problem={problems[`custom_fields.${field.key}`]}
          onValue={(value) => {
            submission.forget(`custom_fields.${field.key}`);
            change({ custom_fields: { ...values.custom_fields, [field.key]: value } });
          }}
        />
      ))}
    </div>
  );
}

interface Row {
  id: number;
  name: string;
  is_active: boolean;
}

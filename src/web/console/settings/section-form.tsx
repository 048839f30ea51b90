// A form over something that the desk keeps: saving, a change of someone else, and Undo.

import type { ComponentChildren } from 'preact';
import type { Answer, Refusal } from '../../shared/api.ts';
import { Button, Submit } from '../../shared/button.tsx';
import { Form } from '../../shared/form.tsx';
import { announce, announceRefusal, Notice, SubmissionNotice } from '../../shared/notices.tsx';
import { fieldProblems } from '../../shared/refusal-text.ts';
import { offerUndo } from '../undo.ts';
import { type Edited, useEdited } from './edited.ts';
import type { Versioned } from './live-data.ts';
import { t } from './messages.ts';
import { Unsaved } from './unsaved.tsx';

interface SectionFormProps<Values extends object, Data> {
  label: string;
  /** Under which unsaved changes are kept, such as "mailbox.4". */
  name: string;
  found: Versioned<Data>;
  /** What is edited of it. */
  valuesOf: (data: Data) => Values;
  /** What the fields are called. */
  names: Readonly<Partial<Record<keyof Values, string>>>;
  /** A value in words, where a change of someone else is shown beside the own one. Null: as it is. */
  shown?: (name: keyof Values & string, values: Values) => string | null;
  /** Sends the values, with `If-Match`. */
  put: (values: Values, etag: string) => Promise<Answer<{ data: Data }>>;
  reload: () => Promise<void>;
  /** What is shown with Undo. */
  said: (data: Data) => string;
  /** Why it cannot be changed by this agent. Null: it can. */
  readOnly: string | null;
  /** Fields that are never put into the browser's storage. */
  secrets?: readonly (keyof Values)[];
  /** What a refusal says about each field. */
  problemsIn?: (refusal: Refusal) => Record<string, string>;
  /** Fields of a refusal that are shown beside a field. `all`: `problemsIn` places every one. */
  fields?: readonly string[] | 'all';
  /** As they are sent. */
  completed?: (values: Values) => Values;
  /** What is wrong before the desk is asked. */
  check?: (values: Values, before: Values) => Record<string, string>;
  isUndoable?: (before: Values, sent: Values) => boolean;
  onSaved?: (data: Data, isUndoable: boolean) => void;
  children: (form: Edited<Values>) => ComponentChildren;
}

export function SectionForm<Values extends object, Data>(props: SectionFormProps<Values, Data>) {
  const { label, name, found, valuesOf, names, readOnly, secrets = [], problemsIn = fieldProblems } = props;
  const newest = { etag: found.etag, data: valuesOf(found.data) };
  const form = useEdited(name, newest, secrets, problemsIn);
  return (
    <div class="panel">
      {readOnly !== null && <Notice kind="hint">{readOnly}</Notice>}
      {found.isGone && <Notice kind="problem">{t.removedMeanwhile}</Notice>}
      <Form submission={form} label={label} onSubmit={() => void save({ ...props, form })}>
        <fieldset class="bare" disabled={readOnly !== null}>
          {form.refusal.value?.status !== 412 && (
            <SubmissionNotice
              submission={form}
              fields={
                props.fields === 'all'
                  ? Object.keys(form.refusal.value?.fields ?? {})
                  : (props.fields ?? Object.keys(names))
              }
            />
          )}
          <Unsaved form={form} names={names} shown={props.shown} />
          {props.children(form)}
        </fieldset>
        {form.isChanged && !found.isGone && (
          <div class="panel-actions">
            <span class="unsaved soft" role="status">
              {t.unsavedChanges}
            </span>
            <Button onClick={() => form.discard()}>{t.discardChanges}</Button>
            <Submit submission={form}>{t.save}</Submit>
          </div>
        )}
      </Form>
    </div>
  );
}

type Saving<Values extends object, Data> = SectionFormProps<Values, Data> & { form: Edited<Values> };

async function save<Values extends object, Data>({ form, ...props }: Saving<Values, Data>) {
  const { valuesOf, put, reload, said, completed, check, isUndoable, onSaved } = props;
  const before = form.base.data;
  const sent = completed?.(form.values) ?? form.values;
  const wrong = check?.(sent, before) ?? {};
  if (Object.keys(wrong).length > 0) return form.refuse(wrong);
  let etag = '';
  const saved = await form.send(async () => {
    const answer = await put(sent, form.base.etag);
    if (answer.isOk) etag = answer.etag ?? '';
    return answer;
  });
  if (saved === null) {
    const status = form.refusal.value?.status;
    // Someone else was first: their values come beside the own ones, or it is gone.
    if (status === 412 || status === 404) await reload();
    if (status === 412) announce(t.changedByOther, 'problem');
    return;
  }
  form.saved({ etag, data: valuesOf(saved.data) });
  await reload();
  const canUndo = isUndoable?.(before, sent) ?? true;
  onSaved?.(saved.data, canUndo);
  if (!canUndo) return announce(said(saved.data));
  offerUndo(said(saved.data), async () => {
    const answer = await put(before, etag);
    if (answer.isOk) announce(t.changesTakenBack);
    else if (answer.refusal.status === 412) announce(t.changedByOther, 'problem');
    else announceRefusal(answer.refusal);
    await reload();
  });
}

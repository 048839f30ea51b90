// The form of something new, with its head: what is typed in it is kept until it is added or cancelled.

import type { ComponentChildren } from 'preact';
import { Button, Submit } from '../../shared/button.tsx';
import { Form } from '../../shared/form.tsx';
import { SubmissionNotice } from '../../shared/notices.tsx';
import { go } from '../route.ts';
import type { Edited } from './edited.ts';
import { t } from './messages.ts';
import { SectionHead } from './section-head.tsx';

interface NewFormProps<Values extends object> {
  form: Edited<Values>;
  title: string;
  lead: string;
  /** Fields of a refusal that are shown beside a field. */
  fields: readonly string[];
  /** Where the list is, which Cancel leads to. */
  list: string;
  /** What the button says that adds it. */
  action: string;
  onSubmit: () => void;
  children: ComponentChildren;
}

export function NewForm<Values extends object>(props: NewFormProps<Values>) {
  const { form, title, lead, fields, list, action, onSubmit, children } = props;
  return (
    <>
      <SectionHead title={title} lead={lead} />
      <div class="panel">
        <Form submission={form} label={title} onSubmit={onSubmit}>
          <SubmissionNotice submission={form} fields={fields} />
          {children}
          <div class="panel-actions">
            {form.isChanged && (
              <span class="unsaved soft" role="status">
                {t.unsavedChanges}
              </span>
            )}
            <Button
              onClick={() => {
                form.discard();
                go(list);
              }}
            >
              {t.cancel}
            </Button>
            <Submit submission={form}>{action}</Submit>
          </div>
        </Form>
      </div>
    </>
  );
}

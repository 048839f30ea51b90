// Name and signature.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Button } from '../shared/button.tsx';
import { TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { t } from '../shared/messages.ts';
import { announce, SubmissionNotice } from '../shared/notices.tsx';
import { ask } from '../shared/signed-in.ts';
import { useSubmission } from '../shared/submission.ts';
import { Section } from './section.tsx';
import { loadProfile, type Profile } from './state.ts';

const roles = {
  owner: () => t.roleOwner,
  admin: () => t.roleAdmin,
  member: () => t.roleMember,
  viewer: () => t.roleViewer,
};

export function You({ profile }: { profile: Profile }) {
  const { agent } = profile.session;
  const submission = useSubmission();
  const name = useSignal(profile.me.name);
  const signature = useSignal(profile.me.signature);
  const signatureId = useId();

  async function send(): Promise<void> {
    if (name.value.trim() === '') return submission.refuse({ name: t.required });
    const body = { name: name.value.trim(), signature: signature.value };
    if ((await submission.send(() => ask('PATCH', '/me', body))) === null) return;
    announce(t.saved);
    await loadProfile();
  }

  return (
    <Section id="you" title={t.you} lead={t.youLead}>
      <Form submission={submission} label={t.you} onSubmit={() => void send()}>
        <p class="who">
          <strong>{agent.email}</strong>
          <span class="soft"> · {roles[agent.role]()}</span>
        </p>
        <SubmissionNotice submission={submission} fields={['name', 'signature']} />
        <TextField
          label={t.name}
          name="name"
          autocomplete="name"
          isRequired
          value={name.value}
          problem={submission.problems.value.name}
          onValue={(value) => {
            name.value = value;
          }}
        />
        <div class="field">
          <label for={signatureId}>{t.signature}</label>
          <textarea
            id={signatureId}
            name="signature"
            rows={3}
            value={signature.value}
            aria-describedby={`${signatureId}-hint`}
            aria-invalid={submission.problems.value.signature !== undefined || undefined}
            onInput={(event) => {
              signature.value = event.currentTarget.value;
            }}
          />
          <p class="field-hint" id={`${signatureId}-hint`}>
            {submission.problems.value.signature ?? t.signatureHint}
          </p>
        </div>
        <div class="panel-actions">
          <Button type="submit" kind="primary" isBusy={submission.isBusy.value}>
            {t.save}
          </Button>
        </div>
      </Form>
    </Section>
  );
}

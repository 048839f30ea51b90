// The agent's own name.

import { useSignal } from '@preact/signals';
import { Button } from '../../shared/button.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import { t } from './messages.ts';
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

  async function send(): Promise<void> {
    if (name.value.trim() === '') return submission.refuse({ name: t.required });
    const body = { name: name.value.trim() };
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
        <SubmissionNotice submission={submission} fields={['name']} />
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
        <div class="panel-actions">
          <Button type="submit" kind="primary" isBusy={submission.isBusy.value}>
            {t.save}
          </Button>
        </div>
      </Form>
    </Section>
  );
}

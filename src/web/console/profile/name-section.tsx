// The agent's own name.

import { Submit } from '../../shared/button.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useForm } from '../../shared/submission.ts';
import { t } from './messages.ts';
import { Section } from './section.tsx';
import { loadProfile, type Profile } from './state.ts';

const roles = {
  owner: () => t.roleOwner,
  admin: () => t.roleAdmin,
  member: () => t.roleMember,
  viewer: () => t.roleViewer,
};

export function OwnName({ profile }: { profile: Profile }) {
  const { agent } = profile.session;
  const form = useForm({ name: profile.me.name });

  async function send(): Promise<void> {
    if (form.values.name.trim() === '') return form.refuse({ name: t.required });
    const body = { name: form.values.name.trim() };
    if ((await form.send(() => ask('PATCH', '/me', body))) === null) return;
    announce(t.saved);
    await loadProfile();
  }

  return (
    <Section id="you" title={t.you} lead={t.youLead}>
      <Form submission={form} label={t.you} onSubmit={() => void send()}>
        <p class="who">
          <strong>{agent.email}</strong>
          <span class="soft"> · {roles[agent.role]()}</span>
        </p>
        <SubmissionNotice submission={form} fields={['name']} />
        <TextField label={t.name} autocomplete="name" isRequired {...form.field('name')} />
        <div class="panel-actions">
          <Submit submission={form}>{t.save}</Submit>
        </div>
      </Form>
    </Section>
  );
}

// The agent's password.

import { useSignal } from '@preact/signals';
import { Button, Submit } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { PasswordField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { Icon } from '../../shared/icons.tsx';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { leastPasswordLength, passwordProblem } from '../../shared/password-rules.ts';
import { ask } from '../../shared/signed-in.ts';
import { useForm } from '../../shared/submission.ts';
import type { Agent } from '../../shared/wire.ts';
import { t } from './messages.ts';
import { Row, State } from './section.tsx';
import { loadProfile } from './state.ts';

export function Password({ agent }: { agent: Agent }) {
  const isChanging = useSignal(false);
  return (
    <>
      <Row
        icon={<Icon name="lock" />}
        title={t.password}
        detail={agent.has_password ? t.passwordLead : <State isOn={false} text={t.noPassword} />}
      >
        <Button
          label={agent.has_password ? t.changePassword : t.setPassword}
          onClick={() => {
            isChanging.value = true;
          }}
        >
          {agent.has_password ? t.change : t.setPassword}
        </Button>
      </Row>
      {isChanging.value && (
        <ChangePassword
          agent={agent}
          onClose={() => {
            isChanging.value = false;
          }}
        />
      )}
    </>
  );
}

function ChangePassword({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const form = useForm({ current: '', password: '' });

  async function send(): Promise<void> {
    const found: Record<string, string> = {};
    if (agent.has_password && form.values.current === '') found.current = t.required;
    const problem = passwordProblem(form.values.password, agent.email);
    if (problem !== null) found.password = problem;
    if (Object.keys(found).length > 0) return form.refuse(found);
    const body = { password: form.values.password, ...(agent.has_password ? { current: form.values.current } : {}) };
    const isSaved = await form.send(() => ask('PUT', '/me/password', body));
    if (isSaved !== null) {
      announce(t.passwordChanged);
      onClose();
      await loadProfile();
    } else if (form.refusal.value?.code === 'wrong_credentials') {
      form.refuse({ current: t.currentPasswordWrong });
    }
  }

  return (
    <Dialog title={agent.has_password ? t.changePassword : t.setPassword} onClose={onClose}>
      <Form submission={form} onSubmit={() => void send()}>
        <SubmissionNotice submission={form} fields={['current', 'password']} />
        <input type="email" name="email" autocomplete="username" value={agent.email} readOnly hidden />
        {agent.has_password && (
          <PasswordField
            label={t.currentPassword}
            autocomplete="current-password"
            isRequired
            isFirst
            {...form.field('current')}
            name="current-password"
          />
        )}
        <PasswordField
          label={t.newPassword}
          autocomplete="new-password"
          isRequired
          isFirst={!agent.has_password}
          {...form.field('password')}
          name="new-password"
          hint={t.passwordHint(leastPasswordLength)}
        />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Submit submission={form}>{t.savePassword}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}

// The agent's password.

import { useSignal } from '@preact/signals';
import { Button } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { PasswordField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { Icon } from '../../shared/icons.tsx';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { leastPasswordLength, passwordProblem } from '../../shared/password-rules.ts';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
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
  const submission = useSubmission();
  const current = useSignal('');
  const password = useSignal('');
  const problems = submission.problems.value;

  async function send(): Promise<void> {
    const found: Record<string, string> = {};
    if (agent.has_password && current.value === '') found.current = t.required;
    const problem = passwordProblem(password.value, agent.email);
    if (problem !== null) found.password = problem;
    if (Object.keys(found).length > 0) return submission.refuse(found);
    const body = { password: password.value, ...(agent.has_password ? { current: current.value } : {}) };
    const isSaved = await submission.send(() => ask('PUT', '/me/password', body));
    if (isSaved !== null) {
      announce(t.passwordChanged);
      onClose();
      await loadProfile();
    } else if (submission.refusal.value?.code === 'wrong_credentials') {
      submission.refuse({ current: t.currentPasswordWrong });
    }
  }

  return (
    <Dialog title={agent.has_password ? t.changePassword : t.setPassword} onClose={onClose}>
      <Form submission={submission} onSubmit={() => void send()}>
        <SubmissionNotice submission={submission} fields={['current', 'password']} />
        <input type="email" name="email" autocomplete="username" value={agent.email} readOnly hidden />
        {agent.has_password && (
          <PasswordField
            label={t.currentPassword}
            name="current-password"
            autocomplete="current-password"
            isRequired
            isFirst
            value={current.value}
            problem={problems.current}
            onValue={(value) => {
              current.value = value;
            }}
          />
        )}
        <PasswordField
          label={t.newPassword}
          name="new-password"
          autocomplete="new-password"
          isRequired
          isFirst={!agent.has_password}
          value={password.value}
          problem={problems.password}
          hint={t.passwordHint(leastPasswordLength)}
          onValue={(value) => {
            password.value = value;
          }}
        />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={submission.isBusy.value}>
            {t.savePassword}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

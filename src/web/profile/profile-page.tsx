// Who is signed in: person, preferences, factors and devices.

import { useEffect } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { ConfirmIdentity } from '../shared/confirm-identity.tsx';
import { Mark } from '../shared/icons.tsx';
import { t } from '../shared/messages.ts';
import { Notice, SubmissionNotice, Toasts } from '../shared/notices.tsx';
import { refusalText } from '../shared/refusal-text.ts';
import { useSubmission } from '../shared/submission.ts';
import { Authenticator } from './authenticator.tsx';
import { Devices } from './devices.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Preferences } from './preferences.tsx';
import { Section } from './section.tsx';
import { loadProfile, loadRefusal, profile } from './state.ts';
import { You } from './you.tsx';

export function ProfilePage() {
  useEffect(() => {
    void loadProfile();
  }, []);
  const title = t.profile;
  useEffect(() => {
    document.title = `${title} · Helpdesk`;
  }, [title]);
  const loaded = profile.value;
  if (loaded === null) return <Loading />;
  const { agent, must_add_second_factor: mustAdd } = loaded.session;
  return (
    <>
      <a class="skip" href="#content">
        {t.skipToContent}
      </a>
      <Bar />
      <div class="profile">
        <Sections mustAdd={mustAdd} />
        <main id="content" tabIndex={-1}>
          <h1>{t.profile}</h1>
          {mustAdd && <Notice kind="hint">{t.mustAddFactor}</Notice>}
          {!mustAdd && <You profile={loaded} />}
          {!mustAdd && <Preferences profile={loaded} />}
          <Section id="security" title={t.security} lead={t.securityLead}>
            <Password agent={agent} />
            <Authenticator agent={agent} />
          </Section>
          <Passkeys passkeys={loaded.passkeys} />
          <Devices devices={loaded.devices} />
        </main>
      </div>
      <ConfirmIdentity agent={agent} />
      <Toasts />
    </>
  );
}

function Bar() {
  const submission = useSubmission();

  async function signOut(): Promise<void> {
    const isDone = await submission.send(async () => {
      const answer = await call('DELETE', '/session');
      // A 401 means that the session has already ended.
      return answer.isOk || answer.refusal.status === 401 ? { isOk: true, status: 204, data: {} } : answer;
    });
    if (isDone !== null) location.assign('/sign-in');
  }

  return (
    <header class="bar">
      <Mark />
      <span class="bar-name">Helpdesk</span>
      <SubmissionNotice submission={submission} />
      <Button isBusy={submission.isBusy.value} onClick={() => void signOut()}>
        {t.signOut}
      </Button>
    </header>
  );
}

function Sections({ mustAdd }: { mustAdd: boolean }) {
  const names = [
    ['you', t.you],
    ['preferences', t.preferences],
    ['security', t.security],
    ['passkeys', t.passkeys],
    ['devices', t.sessions],
  ] as const;
  return (
    <nav aria-label={t.sections}>
      <ul>
        {names.slice(mustAdd ? 2 : 0).map(([id, name]) => (
          <li key={id}>
            <a href={`#${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Loading() {
  const refusal = loadRefusal.value;
  if (refusal === null) {
    return (
      <main class="profile skeleton" aria-busy="true" aria-label={t.profile}>
        <span class="bone title" />
        <span class="bone panel-bone" />
        <span class="bone panel-bone" />
      </main>
    );
  }
  return (
    <main class="profile-refused">
      <h1>{t.profile}</h1>
      <div role="alert">
        <Notice kind="problem">{refusalText(refusal)}</Notice>
      </div>
      <Button onClick={() => void loadProfile()}>{t.tryAgain}</Button>
    </main>
  );
}

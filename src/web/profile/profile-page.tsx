// Who is signed in: person, preferences, factors and devices.

import { useEffect } from 'preact/hooks';
import { Button } from '../shared/button.tsx';
import { t } from '../shared/messages.ts';
import { Notice } from '../shared/notices.tsx';
import { refusalText } from '../shared/refusal-text.ts';
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

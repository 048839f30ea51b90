// Who is signed in: person, preferences, factors and devices.

import { useEffect } from 'preact/hooks';
import { Notice } from '../../shared/notices.tsx';
import { usePageTitle } from '../page-title.ts';
import { RefusedPage } from '../shell/refused.tsx';
import { Authenticator } from './authenticator.tsx';
import { Devices } from './devices.tsx';
import { t } from './messages.ts';
import { Notifications } from './notifications.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Preferences } from './preferences.tsx';
import { Replies } from './replies.tsx';
import { Section } from './section.tsx';
import { loadProfile, loadRefusal, profile } from './state.ts';
import { You } from './you.tsx';

export function ProfilePage() {
  useEffect(() => {
    void loadProfile();
  }, []);
  const title = t.profile;
  usePageTitle(title);
  const loaded = profile.value;
  if (loaded === null) return <Loading />;
  const { agent, must_add_second_factor: mustAdd } = loaded.session;
  return (
    <main id="content" class="profile-page" tabIndex={-1}>
      <div class="profile">
        <Sections mustAdd={mustAdd} />
        <div class="profile-sections">
          <h1>{t.profile}</h1>
          {mustAdd && <Notice kind="hint">{t.mustAddFactor}</Notice>}
          {!mustAdd && (
            <>
              <You profile={loaded} />
              <Preferences profile={loaded} />
              <Replies profile={loaded} />
              <Notifications profile={loaded} />
            </>
          )}
          <Section id="security" title={t.security} lead={t.securityLead}>
            <Password agent={agent} />
            <Authenticator agent={agent} />
          </Section>
          <Passkeys passkeys={loaded.passkeys} />
          <Devices devices={loaded.devices} />
        </div>
      </div>
    </main>
  );
}

function Sections({ mustAdd }: { mustAdd: boolean }) {
  const names = [
    ['you', t.you],
    ['preferences', t.preferences],
    ['replies', t.replies],
    ['notifications', t.notifications],
    ['security', t.security],
    ['passkeys', t.passkeys],
    ['devices', t.sessions],
  ] as const;
  return (
    <nav aria-label={t.sections}>
      <ul>
        {names.slice(mustAdd ? 4 : 0).map(([id, name]) => (
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
  if (refusal !== null) return <RefusedPage title={t.profile} refusal={refusal} onRetry={() => void loadProfile()} />;
  return (
    <main id="content" class="profile-page" tabIndex={-1} aria-busy="true">
      <h1 class="hidden">{t.profile}</h1>
      <div class="profile skeleton" aria-hidden="true">
        <span />
        <span class="profile-sections">
          <span class="bone title" />
          <span class="bone panel-bone" />
          <span class="bone panel-bone" />
        </span>
      </div>
    </main>
  );
}

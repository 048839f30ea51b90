// Who is signed in: person, preferences, factors and devices.

import '../shell/on-demand-parts.ts';
import { useEffect } from 'preact/hooks';
import { Notice } from '../../shared/notices.tsx';
import { usePageTitle } from '../page-title.ts';
import { RefusedPage } from '../shell/refused.tsx';
import { Authenticator } from './authenticator.tsx';
import { Availability } from './availability.tsx';
import { Devices } from './devices.tsx';
import { t } from './messages.ts';
import { OwnName } from './name-section.tsx';
import { Notifications, PushSection } from './notifications.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Preferences } from './preferences.tsx';
import { Replies } from './replies.tsx';
import { Section } from './section.tsx';
import { loadProfile, loadRefusal, type Profile, profile } from './state.ts';

export function ProfilePage() {
  useEffect(() => {
    void loadProfile();
  }, []);
  const title = t.profile;
  usePageTitle(title);
  const loaded = profile.value;
  const refusal = loadRefusal.value;
  if (loaded === null && refusal !== null)
    return <RefusedPage title={t.profile} refusal={refusal} onRetry={() => void loadProfile()} />;
  // The same element while it loads and after that, which keeps the focus.
  return (
    <main id="content" class="profile-page" tabIndex={-1} aria-busy={loaded === null || undefined}>
      {loaded === null ? <Skeleton /> : <Loaded profile={loaded} />}
    </main>
  );
}

function Loaded({ profile: loaded }: { profile: Profile }) {
  const { agent, must_add_second_factor: mustAdd } = loaded.session;
  return (
    <div class="profile">
      <Sections mustAdd={mustAdd} />
      <div class="profile-sections">
        <h1>{t.profile}</h1>
        {mustAdd && <Notice kind="hint">{t.mustAddFactor}</Notice>}
        {!mustAdd && (
          <>
            <OwnName profile={loaded} />
            <Availability profile={loaded} />
            <Preferences profile={loaded} />
            <Replies profile={loaded} />
          </>
        )}
        <Section id="security" title={t.security} lead={t.securityLead}>
          <Password agent={agent} />
          <Authenticator agent={agent} />
        </Section>
        <Passkeys passkeys={loaded.passkeys} />
        <Devices devices={loaded.devices} />
        {!mustAdd && (
          <>
            <Notifications />
            <PushSection />
          </>
        )}
      </div>
    </div>
  );
}

function Sections({ mustAdd }: { mustAdd: boolean }) {
  const names = [
    ['you', t.you],
    ['availability', t.availability],
    ['preferences', t.preferences],
    ['replies', t.replies],
    ['security', t.security],
    ['passkeys', t.passkeys],
    ['devices', t.sessions],
    ['notifications', t.notifications],
    ['push', t.pushDevices],
  ] as const;
  return (
    <nav aria-label={t.sections}>
      <ul>
        {(mustAdd ? names.slice(4, 7) : names).map(([id, name]) => (
          <li key={id}>
            <a href={`#${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Skeleton() {
  return (
    <>
      <h1 class="hidden">{t.profile}</h1>
      <div class="profile skeleton" aria-hidden="true">
        <span />
        <span class="profile-sections">
          <span class="skeleton-bar title" />
          <span class="skeleton-bar panel-skeleton" />
          <span class="skeleton-bar panel-skeleton" />
        </span>
      </div>
    </>
  );
}

// One person: what they may do, and what can be done for them.

import { useSignal } from '@preact/signals';
import { canManagePerson } from '../../../../domain/people/roles.ts';
import { Button } from '../../../shared/button.tsx';
import { SwitchField, TextField } from '../../../shared/field.tsx';
import { announce, announceRefusal } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { go } from '../../route.ts';
import { can, session } from '../../session.ts';
import { awayText, isAway } from '../../tickets/away.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { RemoveButton } from '../remove-button.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { settingsPath } from '../settings-route.ts';
import { InvitationLink, personFields } from './invite-person.tsx';
import { t } from './messages.ts';
import { hasJoined, PersonState } from './person-state.tsx';
import { inWords, problemsIn } from './refusals.ts';
import { type RoleAndSites, RoleAndSitesFields, roleAndSitesOf, siteFlags, siteIdsIn } from './role-and-sites.tsx';
import type { Person } from './wire.ts';

interface PersonValues extends RoleAndSites {
  name: string;
  address: string;
  is_active: boolean;
}

const valuesOf = (person: Person): PersonValues => ({
  ...{ name: person.name, address: person.email, is_active: person.is_active },
  ...roleAndSitesOf(person),
});

/** As far as this agent sees: the desk also counts the sites of a person that only others see. */
function isManaged({ role, sites }: Person): boolean {
  const own = session.value?.agent;
  if (own === undefined) return false;
  const scopeOf = (ids: readonly number[]) => (ids.length === 0 ? 'all' : ids);
  return canManagePerson({ role: own.role, scope: scopeOf(own.sites) }, { role, scope: scopeOf(sites) });
}

export function PersonPage({ id }: { id: string }) {
  const path = `/agents/${encodeURIComponent(id)}`;
  const live = useLiveData<Person>(path);
  const found = live.shown.value;
  if (found === null) return <Loading of={live} isOne />;
  return <FoundPerson {...{ path, found }} reload={live.reload} />;
}

interface FoundProps {
  path: string;
  found: Versioned<Person>;
  reload: () => Promise<void>;
}

function FoundPerson({ path, found, reload }: FoundProps) {
  const { id, name, email, sites } = found.data;
  const values = valuesOf(found.data);
  const canChange = isManaged(found.data);
  const away = awayText(found.data);
  return (
    <>
      <SectionHead title={name} lead={<bdi>{email}</bdi>}>
        {canChange && <Actions {...{ path, found, reload }} />}
      </SectionHead>
      <div class="panel mailbox-now" role="status">
        <p>
          <PersonState person={found.data} />
          {away !== null && <span class="soft"> · {away}</span>}
        </p>
      </div>
      <SectionForm<PersonValues, Person>
        label={name}
        name={`person.${id}`}
        {...{ found, reload, valuesOf, problemsIn, fields: [...personFields, 'email'] }}
        names={{
          ...{ name: t.name, address: t.personEmail, role: t.role, every_site: t.everySite, sites: t.itsSites },
          is_active: t.personActive,
        }}
        readOnly={canChange ? null : t.beyondYourRole}
        check={(sent): Record<string, string> => (siteIdsIn(sent) === null ? { sites: t.chooseSite } : {})}
        put={async (sent, etag) => {
          const { name: called, address, role, is_active } = sent;
          const body = { name: called, email: address, role, is_active, sites: siteIdsIn(sent) };
          return inWords(await ask<{ data: Person }>('PATCH', path, body, { 'If-Match': etag }));
        }}
        said={(person) => t.personSaved(person.name)}
      >
        {(form) => (
          <>
            <div class="choices">
              <TextField label={t.name} isRequired maxLength={255} {...form.field('name')} />
              <TextField label={t.personEmail} type="email" isRequired maxLength={320} {...form.field('address')} />
            </div>
            <RoleAndSitesFields form={form} />
            <div class="form-part">
              <SwitchField label={t.canSignIn} hint={t.canSignInHint} {...form.field('is_active')} />
            </div>
          </>
        )}
      </SectionForm>
      <LastChange
        siteId={sites.length === 1 ? (sites[0] ?? null) : null}
        actions={['agent.created', 'agent.updated', 'agent.invited', 'agent.joined']}
        targetId={id}
        version={found.etag}
      />
      <EqualCommand
        words={[
          ...['helpdesk', 'agent', 'update', email, '--role', values.role],
          ...siteFlags(values, ['--all-sites']),
        ]}
      />
    </>
  );
}

function Actions({ path, found, reload }: FoundProps) {
  const person = found.data;
  const acting = useSubmission();
  const invited = useSignal<{ data: Person; invitation_url: string | null } | null>(null);

  async function invite(): Promise<void> {
    const made = await acting.send(async () =>
      inWords(await ask<{ data: Person; invitation_url: string | null }>('POST', `${path}/invitation`)),
    );
    if (made === null) {
      if (acting.refusal.value !== null) announceRefusal(acting.refusal.value);
      return;
    }
    if (made.invitation_url === null) announce(t.personWasInvited(person.name));
    else invited.value = made;
    await reload();
  }

  const isThere = !isAway(person);
  async function turn(): Promise<void> {
    const made = await acting.send(() => ask('PATCH', `${path}/availability`, { is_available: !isThere }));
    if (made === null) {
      if (acting.refusal.value !== null) announceRefusal(acting.refusal.value);
      return;
    }
    announce(isThere ? t.personIsAway(person.name) : t.personIsBack(person.name));
    await reload();
  }

  return (
    <>
      {person.is_active && (
        <Button isBusy={acting.isBusy.value} onClick={() => void turn()}>
          {isThere ? t.setAway : t.setBack}
        </Button>
      )}
      {person.is_active && (can('own') || !hasJoined(person)) && (
        <Button isBusy={acting.isBusy.value} onClick={() => void invite()}>
          {t.inviteAgain}
        </Button>
      )}
      {person.second_factors.length > 0 && (
        <RemoveButton
          kind="plain"
          title={t.resetFactorsTitle(person.name)}
          text={t.resetFactorsText}
          action={t.resetFactors}
          send={async () => inWords(await ask('DELETE', `${path}/second-factor`))}
          onDone={() => {
            announce(t.factorsReset(person.name));
            void reload();
          }}
        />
      )}
      <RemoveButton
        title={t.removePersonTitle(person.name)}
        text={t.removePersonText}
        action={t.remove}
        send={async () => inWords(await ask('DELETE', path))}
        onDone={() => {
          announce(t.personGone(person.name));
          go(settingsPath('people'), { replace: true });
        }}
      />
      {invited.value !== null && (
        <InvitationLink
          invited={invited.value}
          onClose={() => {
            invited.value = null;
          }}
        />
      )}
    </>
  );
}

// The people of the desk: who there is, one of them, or an invitation.

import { Icon } from '../../../shared/icons.tsx';
import { Link } from '../../route.ts';
import { session } from '../../session.ts';
import { useFetched } from '../../shell/fetched.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { SectionHead } from '../section-head.tsx';
import { type DeskSectionProps, settingsPath } from '../settings-route.ts';
import { FoundList } from './found-list.tsx';
import { InvitePerson } from './invite-person.tsx';
import { t } from './messages.ts';
import { PersonPage } from './person-page.tsx';
import { PersonState } from './person-state.tsx';
import { roleTexts, siteNames } from './role-and-sites.tsx';
import type { Person } from './wire.ts';

export function PeopleSection({ id }: DeskSectionProps) {
  if (id === 'new') return <InvitePerson />;
  return id === null ? <People /> : <PersonPage id={id} />;
}

function People() {
  const { data, refusal, reload } = useFetched<{ data: Person[] }>('/agents');
  const people = data.value?.data.toSorted((a, b) => a.name.localeCompare(b.name)) ?? null;
  return (
    <>
      <SectionHead title={t.people} lead={t.peopleLead}>
        <Link href={settingsPath('people', 'new')} class="button primary">
          <Icon name="plus" />
          {t.invitePerson}
        </Link>
      </SectionHead>
      <FoundList<Person>
        label={t.people}
        rows={people}
        {...{ refusal, reload }}
        textOf={({ name, email, role, sites }) => `${name} ${email} ${roleTexts[role].name()} ${siteNames(sites)}`}
        none={null}
      >
        {(person) => <Row key={person.id} person={person} />}
      </FoundList>
      <LastChange
        siteId={null}
        actions={['agent.created', 'agent.updated', 'agent.joined', 'agent.deleted']}
        targetId={null}
        version={JSON.stringify(people)}
      />
      <EqualCommand words={['helpdesk', 'agent', 'list']} />
    </>
  );
}

function Row({ person }: { person: Person }) {
  const { id, name, email, role, sites } = person;
  return (
    <li>
      <Icon name="person" />
      <div class="mailbox-name">
        <Link href={settingsPath('people', id)} class="row-link">
          <bdi>{name}</bdi>
        </Link>
        <p class="soft" title={email}>
          <bdi>{email}</bdi>
          {id === session.value?.agent.id && ` · ${t.you}`}
        </p>
        <p class="soft" title={siteNames(sites)}>
          {roleTexts[role].name()} · {siteNames(sites)}
        </p>
      </div>
      <div class="mailbox-health">
        <PersonState person={person} />
      </div>
    </li>
  );
}

// Teams: the list, one team, or a new one.

import { Icon } from '../../../shared/icons.tsx';
import { Link } from '../../route.ts';
import { Empty } from '../../shell/empty.tsx';
import { useFetched } from '../../shell/fetched.ts';
import type { List, Team } from '../../wire.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { SectionHead } from '../section-head.tsx';
import { type DeskSectionProps, settingsPath } from '../settings-route.ts';
import { FoundList } from './found-list.tsx';
import { t } from './messages.ts';
import { siteNames } from './role-and-sites.tsx';
import { NewTeam, TeamPage } from './team-page.tsx';
import type { Person } from './wire.ts';

export function TeamsSection({ id }: DeskSectionProps) {
  if (id === 'new') return <NewTeam />;
  return id === null ? <Teams /> : <TeamPage id={id} />;
}

function Teams() {
  const { data, refusal, reload } = useFetched<List<Team>>('/teams');
  const people = useFetched<List<Person>>('/agents').data.value?.data ?? [];
  const namesOf = ({ members }: Team) =>
    people.flatMap(({ id, name }) => (members.includes(id) ? [name] : [])).join(', ') || t.noMembers;
  return (
    <>
      <SectionHead title={t.teams} lead={t.teamsLead}>
        <Link href={settingsPath('teams', 'new')} class="button primary">
          <Icon name="plus" />
          {t.newTeam}
        </Link>
      </SectionHead>
      <FoundList<Team>
        label={t.teams}
        rows={data.value?.data ?? null}
        {...{ refusal, reload }}
        textOf={(team) => `${team.name} ${namesOf(team)}`}
        none={
          <Empty icon="people" title={t.noTeams}>
            {t.noTeamsText}
          </Empty>
        }
      >
        {(team) => (
          <li key={team.id}>
            <Icon name="people" />
            <div class="mailbox-name">
              <Link href={settingsPath('teams', team.id)} class="row-link">
                <bdi>{team.name}</bdi>
              </Link>
              <p class="soft" title={namesOf(team)}>
                {namesOf(team)}
              </p>
              <p class="soft">{siteNames(team.sites)}</p>
            </div>
          </li>
        )}
      </FoundList>
      <LastChange
        siteId={null}
        actions={['team.created', 'team.updated', 'team.deleted']}
        targetId={null}
        version={JSON.stringify(data.value?.data)}
      />
      <EqualCommand words={['helpdesk', 'team', 'list']} />
    </>
  );
}

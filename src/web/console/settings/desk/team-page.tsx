// One team: its members, its sites, and how tickets come to its agents.

import { Combobox } from '../../../shared/combobox.tsx';
import { SwitchField, TextField } from '../../../shared/field.tsx';
import { announce } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import type { FormState } from '../../../shared/submission.ts';
import { refreshCatalogue } from '../../catalogue.ts';
import { go } from '../../route.ts';
import { useFetched } from '../../shell/fetched.ts';
import type { List, Team } from '../../wire.ts';
import { useNew } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { NewForm } from '../new-form.tsx';
import { RemoveButton } from '../remove-button.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';
import { inWords, problemsIn } from './refusals.ts';
import { type Sites, SitesFields, seesEverySite, siteFlags, siteIdsIn, siteNames, sitesOf } from './role-and-sites.tsx';
import type { Person } from './wire.ts';

interface TeamValues extends Sites {
  name: string;
  /** Ids with commas between. */
  members: string;
  max_open_per_agent: string;
  wait_minutes: string;
  returns_when_away: boolean;
}

const fields = ['name', 'members', 'sites', 'max_open_per_agent', 'wait_minutes'];

const valuesOf = (team: Team): TeamValues => ({
  ...{ name: team.name, members: team.members.join(','), returns_when_away: team.returns_when_away },
  max_open_per_agent: String(team.max_open_per_agent ?? ''),
  wait_minutes: String(team.wait_minutes ?? ''),
  ...sitesOf(team.sites),
});

const idsIn = (text: string) => (text === '' ? [] : text.split(',').map(Number));
const numberIn = (text: string) => (text.trim() === '' ? null : Number(text));

const bodyOf = (values: TeamValues) => ({
  ...{ name: values.name.trim(), members: idsIn(values.members), sites: siteIdsIn(values) },
  ...{ max_open_per_agent: numberIn(values.max_open_per_agent), wait_minutes: numberIn(values.wait_minutes) },
  returns_when_away: values.returns_when_away,
});

const flagsOf = (values: TeamValues, ofEvery: readonly string[]) => [
  ...(values.members === '' ? [] : ['--members', values.members]),
  ...siteFlags(values, ofEvery),
  ...(values.max_open_per_agent === '' ? [] : ['--max-open-per-agent', values.max_open_per_agent]),
  ...(values.wait_minutes === '' ? [] : ['--wait-minutes', values.wait_minutes]),
];

const wrongIn = (values: TeamValues): Record<string, string> => ({
  ...(values.name.trim() === '' ? { name: t.required } : {}),
  ...(siteIdsIn(values) === null ? { sites: t.chooseSite } : {}),
});

export function TeamPage({ id }: { id: string }) {
  const path = `/teams/${encodeURIComponent(id)}`;
  const live = useLiveData<Team>(path);
  const found = live.shown.value;
  if (found === null) return <Loading of={live} isOne />;
  return <FoundTeam {...{ path, found }} reload={live.reload} />;
}

interface FoundProps {
  path: string;
  found: Versioned<Team>;
  reload: () => Promise<void>;
}

function FoundTeam({ path, found, reload }: FoundProps) {
  const { id, name, sites } = found.data;
  const canChange = sites.length > 0 || seesEverySite();
  return (
    <>
      <SectionHead title={name} lead={siteNames(sites)}>
        {canChange && (
          <RemoveButton
            title={t.removePersonTitle(name)}
            text={t.removeTeamText}
            action={t.remove}
            send={() => ask('DELETE', path, undefined, { 'If-Match': found.etag })}
            onDone={() => {
              void refreshCatalogue();
              announce(t.personGone(name));
              go(settingsPath('teams'), { replace: true });
            }}
          />
        )}
      </SectionHead>
      <SectionForm<TeamValues, Team>
        label={name}
        name={`team.${id}`}
        {...{ found, reload, valuesOf, problemsIn, fields }}
        names={{
          ...{ name: t.name, members: t.members, every_site: t.everySite, sites: t.itsSites },
          ...{ max_open_per_agent: t.mostOpen, wait_minutes: t.waitMinutes, returns_when_away: t.returnsWhenAway },
        }}
        readOnly={canChange ? null : t.beyondYourRole}
        check={wrongIn}
        put={async (values, etag) =>
          inWords(await ask<{ data: Team }>('PATCH', path, bodyOf(values), { 'If-Match': etag }))
        }
        onSaved={() => void refreshCatalogue()}
        said={(team) => t.personSaved(team.name)}
      >
        {(form) => (
          <>
            <TeamFields form={form} isNew={false} />
            <EqualCommand
              words={['helpdesk', 'team', 'update', String(id), ...flagsOf(form.values, ['--all-sites'])]}
            />
          </>
        )}
      </SectionForm>
      <LastChange
        siteId={sites.length === 1 ? (sites[0] ?? null) : null}
        actions={['team.created', 'team.updated']}
        targetId={id}
        version={found.etag}
      />
    </>
  );
}

export function NewTeam() {
  const form = useNew<TeamValues>(
    'team.new',
    {
      ...{ name: '', members: '', max_open_per_agent: '', wait_minutes: '', returns_when_away: false },
      ...{ every_site: seesEverySite(), sites: '' },
    },
    problemsIn,
  );

  async function add(): Promise<void> {
    const wrong = wrongIn(form.values);
    if (Object.keys(wrong).length > 0) return form.refuse(wrong);
    const made = await form.send(async () => inWords(await ask<{ data: Team }>('POST', '/teams', bodyOf(form.values))));
    if (made === null) return;
    void refreshCatalogue();
    announce(t.personSaved(made.data.name));
    go(settingsPath('teams', made.data.id), { replace: true });
  }

  return (
    <>
      <NewForm
        form={form}
        title={t.newTeam}
        lead={t.teamsLead}
        fields={fields}
        list={settingsPath('teams')}
        action={t.addTeam}
        onSubmit={() => void add()}
      >
        <TeamFields form={form} isNew />
      </NewForm>
      <EqualCommand
        words={['helpdesk', 'team', 'create', '--name', form.values.name.trim() || 'NAME', ...flagsOf(form.values, [])]}
      />
    </>
  );
}

function TeamFields({ form, isNew }: { form: FormState<TeamValues>; isNew: boolean }) {
  const { values } = form;
  const agents = useFetched<List<Person>>('/agents');
  const people = agents.data.value?.data;
  if (people === undefined) return <Loading of={{ ...agents, shown: agents.data }} />;
  const chosen = idsIn(values.members);
  const problem = form.problems.value.members;
  return (
    <>
      <TextField label={t.name} isRequired isFirst={isNew} maxLength={100} {...form.field('name')} />
      <div class="field">
        <span class="field-label">{t.members}</span>
        <Combobox<number>
          label={t.members}
          multiple
          search
          value={chosen}
          options={people
            .filter(({ id, is_active: isActive }) => isActive || chosen.includes(id))
            .toSorted((one, other) => one.name.localeCompare(other.name))
            .map(({ id, name, email }) => ({ value: id, text: name, hint: email }))}
          onChange={(ids) => {
            form.forget('members');
            form.change({ members: [...ids].sort((one, other) => one - other).join(',') });
          }}
        >
          {chosen.length === 0
            ? t.noMembers
            : people.flatMap(({ id, name }) => (chosen.includes(id) ? [name] : [])).join(', ')}
        </Combobox>
        {problem !== undefined && (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      <SitesFields form={form} hint={t.everySiteHint} />
      <div class="field-row">
        <TextField label={t.mostOpen} hint={t.mostOpenHint} type="number" {...form.field('max_open_per_agent')} />
        <TextField label={t.waitMinutes} hint={t.waitMinutesHint} type="number" {...form.field('wait_minutes')} />
      </div>
      <SwitchField label={t.returnsWhenAway} hint={t.returnsWhenAwayHint} {...form.field('returns_when_away')} />
    </>
  );
}

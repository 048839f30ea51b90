// What a person may do, and on which sites.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { agentRoles, type Role } from '../../../../domain/actor.ts';
import { bound } from '../../../shared/bound.ts';
import { SwitchField, TextField } from '../../../shared/field.tsx';
import type { FormState } from '../../../shared/submission.ts';
import { can, type Site, session, visibleSites } from '../../session.ts';
import { t } from './messages.ts';
import type { Person } from './wire.ts';

export interface Sites {
  every_site: boolean;
  /** Their slugs, in the order of the sites. */
  sites: string;
}

export interface RoleAndSites extends Sites {
  role: Role;
}

export const roleTexts: Readonly<Record<Role, { name: () => string; may: () => string }>> = {
  owner: { name: () => t.roleOwner, may: () => t.ownerMay },
  admin: { name: () => t.roleAdmin, may: () => t.adminMay },
  member: { name: () => t.roleMember, may: () => t.memberMay },
  viewer: { name: () => t.roleViewer, may: () => t.viewerMay },
};

const slugsOf = (sites: readonly Site[]) => sites.map(({ slug }) => slug).join(', ');

export const roleAndSitesOf = ({ role, sites }: Pick<Person, 'role' | 'sites'>): RoleAndSites => ({
  role,
  ...sitesOf(sites),
});

export function sitesOf(ids: readonly number[]): Sites {
  const chosen = visibleSites.value.filter(({ id }) => ids.includes(id));
  return { every_site: ids.length === 0, sites: slugsOf(chosen) };
}

const chosenIn = (sites: string) => visibleSites.value.filter(({ slug }) => sites.split(', ').includes(slug));

/** As the desk takes it. An empty list means every site, so none chosen is null. */
export function siteIdsIn({ every_site: isEvery, sites }: Sites): number[] | null {
  if (isEvery) return [];
  const ids = chosenIn(sites).map(({ id }) => id);
  return ids.length === 0 ? null : ids;
}

export const siteFlags = ({ every_site: isEvery, sites }: Sites, ofEvery: readonly string[]): string[] =>
  isEvery ? [...ofEvery] : chosenIn(sites).flatMap(({ slug }) => ['--site', slug]);

/** Whether the one who is signed in sees every site. */
export const seesEverySite = () => can('own') || session.value?.agent.sites.length === 0;

export function siteNames(ids: readonly number[]): string {
  if (ids.length === 0) return t.everySite;
  return ids.map((id) => visibleSites.value.find((site) => site.id === id)?.name ?? String(id)).join(', ');
}

const findAbove = 12;

export function RoleAndSitesFields<Values extends RoleAndSites>({ form }: { form: FormState<Values> }) {
  const { values } = form;
  const name = useId();
  const problem = form.problems.value.role;
  const change = (changed: Partial<RoleAndSites>) => {
    form.forget('role');
    form.forget('sites');
    form.change(changed as Partial<Values>);
  };
  const roles = agentRoles.filter(
    (role) => can('own') || role === 'member' || role === 'viewer' || role === values.role,
  );
  return (
    <>
      <fieldset class="cards two" aria-describedby={problem === undefined ? undefined : `${name}-problem`}>
        <legend>{t.role}</legend>
        {roles.map((role) => (
          <label key={role}>
            <input type="radio" name={name} checked={values.role === role} onChange={() => change({ role })} />
            <span>
              <strong>{roleTexts[role].name()}</strong>
              <span class="soft">{roleTexts[role].may()}</span>
            </span>
          </label>
        ))}
        {problem !== undefined && (
          <p class="field-problem" id={`${name}-problem`}>
            {problem}
          </p>
        )}
      </fieldset>
      <SitesFields form={form} hint={values.role === 'owner' ? t.ownerSitesHint : t.everySiteHint} />
    </>
  );
}

/** @param hint what every site means */
export function SitesFields<Values extends Sites>({ form, hint }: { form: FormState<Values>; hint: string }) {
  const { values } = form;
  const wanted = useSignal('');
  const sites = visibleSites.value;
  const change = (changed: Partial<Sites>) => {
    form.forget('sites');
    form.change(changed as Partial<Values>);
  };
  const shown = sites.filter((site) => site.name.toLowerCase().includes(wanted.value.trim().toLowerCase()));
  const chosen = chosenIn(values.sites);
  const isLong = sites.length > findAbove;
  return (
    <div class="form-part">
      {(seesEverySite() || values.every_site) && (
        <SwitchField
          label={t.everySite}
          hint={hint}
          value={values.every_site}
          onValue={(isOn) => change({ every_site: isOn })}
        />
      )}
      {!values.every_site && (
        <fieldset class="cards">
          <legend>{t.itsSites}</legend>
          {isLong && <TextField label={t.findSite} name="find-site" {...bound(wanted)} />}
          {shown.map((site) => (
            <label key={site.id}>
              <input
                type="checkbox"
                checked={chosen.includes(site)}
                onChange={({ currentTarget }) =>
                  change({
                    sites: slugsOf(
                      sites.filter((one) => (one === site ? currentTarget.checked : chosen.includes(one))),
                    ),
                  })
                }
              />
              <span>{site.name}</span>
            </label>
          ))}
          {form.problems.value.sites !== undefined && (
            <p class="field-problem" role="alert">
              {form.problems.value.sites}
            </p>
          )}
        </fieldset>
      )}
    </div>
  );
}

// Where in the settings one is: the site that they are about, and the address of each section.

import { computed, type ReadonlySignal } from '@preact/signals';
import { route } from '../route.ts';
import { chosenSite, type Site, visibleSites } from '../session.ts';

const asked = (): number | null => {
  const text = route.value.query.get('site_id');
  return text === null ? null : Number(text);
};

/** The site in the address, else the chosen one, else the first. Null if there is none, or this agent does not see it. */
export const openSite: ReadonlySignal<Site | null> = computed(() => {
  const wanted = asked() ?? chosenSite.value ?? visibleSites.value[0]?.id;
  return visibleSites.value.find(({ id }) => id === wanted) ?? null;
});

/** With the site if there are several, so that the address can be shared. */
export function settingsPath(section: string, id?: string | number, site = openSite.value): string {
  const path = `/settings/${section}${id === undefined ? '' : `/${id}`}`;
  return visibleSites.value.length > 1 && site !== null ? `${path}?site_id=${site.id}` : path;
}

/** What the sections of the desk are given: there may be no site yet. */
export interface DeskSectionProps {
  /** What stands after the section in the address. */
  id: string | null;
}

/** What the sections of a site are given. */
export interface SectionProps extends DeskSectionProps {
  /** The site that the settings are about. */
  site: Site;
}

// The settings: their sections beside the one that is open. A narrow window shows either of them.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../shared/icons.tsx';
import { usePageTitle } from '../page-title.ts';
import { go, Link, route } from '../route.ts';
import { chosenSite, type Site, visibleSites } from '../session.ts';
import { NotFound } from '../shell/not-found.tsx';
import { useKeptFocus } from './kept-focus.ts';
import { SectionTitle } from './loading.tsx';
import { t } from './messages.ts';
import { groups, shownGroups } from './sections.ts';
import { SettingSearch } from './setting-search.tsx';
import { openSite, settingsPath } from './settings-route.ts';

export { settingsChoices } from './find.ts';

const besideOneAnother = '(width >= 900px)';

export function SettingsPage() {
  const here = route.value;
  const [name, id] = here.name === 'settings' ? [here.section, here.id] : [null, null];
  const site = openSite.value;
  const shown = shownGroups().filter(({ sections }) => sections.length > 0);
  const open = shown.flatMap(({ sections }) => sections).find((section) => section.id === name);
  const first = shown[0]?.sections[0]?.id;
  useEffect(() => {
    if (name === null && first !== undefined && matchMedia(besideOneAnother).matches)
      go(settingsPath(first), { replace: true });
  }, [name]);
  useEffect(() => {
    document.querySelector('.settings > nav [aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [open?.id]);
  useFollowSiteSwitch(open?.id);
  usePageTitle(open === undefined ? t.settings : null);

  if (shown.length === 0 || (name !== null && open === undefined)) return <NotFound />;
  return (
    <main id="content" class={`settings${open === undefined ? '' : ' in-section'}`} tabIndex={-1}>
      <nav aria-label={t.settings}>
        {open === undefined ? <h1>{t.settings}</h1> : <p class="settings-title">{t.settings}</p>}
        <SettingSearch>
          {shown.map((group) => (
            <div key={group.name} class="settings-group">
              {group.name === 'site' ? (
                <SiteChoice section={open?.id ?? first} />
              ) : (
                <h2>{group.name === 'desk' ? t.settingsOfDesk : t.settingsOfSystem}</h2>
              )}
              <ul>
                {group.sections.map((section) => (
                  <li key={section.id}>
                    <Link href={settingsPath(section.id)} isCurrent={section === open}>
                      {section.title()}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </SettingSearch>
      </nav>
      {open !== undefined && (
        <SectionFrame key={`${open.id} ${site?.id} ${id}`}>
          <Link
            href={id === null ? '/settings' : settingsPath(open.id)}
            class={id === null ? 'back-link narrow' : 'back-link'}
          >
            <Icon name="chevron" />
            {id === null ? t.settings : open.title()}
          </Link>
          <SectionTitle.Provider value={open.title()}>
            <OpenSection section={open.id} site={site} id={id} />
          </SectionTitle.Provider>
        </SectionFrame>
      )}
    </main>
  );
}

function SectionFrame({ children }: { children: ComponentChildren }) {
  return (
    <div ref={useKeptFocus()} class="settings-section">
      {children}
    </div>
  );
}

function OpenSection({ section, site, id }: { section: string; site: Site | null; id: string | null }) {
  for (const group of groups) {
    if (group.name === 'site') {
      const found = group.sections.find((one) => one.id === section);
      if (found !== undefined) return site === null ? null : <found.Page site={site} id={id} />;
    } else {
      const found = group.sections.find((one) => one.id === section);
      if (found !== undefined) return <found.Page id={id} />;
    }
  }
  return null;
}

/** The switch of the rail counts here too. */
function useFollowSiteSwitch(section: string | undefined): void {
  const chosen = chosenSite.value;
  const before = useRef(chosen);
  useEffect(() => {
    if (chosen === before.current) return;
    before.current = chosen;
    const site = visibleSites.peek().find(({ id }) => id === chosen);
    if (site !== undefined && section !== undefined) go(settingsPath(section, undefined, site));
  }, [chosen]);
}

function SiteChoice({ section }: { section: string | undefined }) {
  const sites = visibleSites.value;
  const open = openSite.value;
  if (sites.length < 2 || section === undefined) return <h2>{open?.name}</h2>;
  return (
    <select
      aria-label={t.settingsOfSite}
      value={open?.id}
      onChange={({ currentTarget }) => {
        const site = sites.find(({ id }) => String(id) === currentTarget.value);
        if (site !== undefined) go(settingsPath(section, undefined, site));
      }}
    >
      {sites.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

// The rail: the site, the views, the other pages and the agent.

import { Icon, Mark } from '../../shared/icons.tsx';
import { Menu } from '../../shared/menu.tsx';
import { route } from '../route.ts';
import { chooseSite, chosenSite, visibleSites } from '../session.ts';
import { ViewList } from '../views/view-list.tsx';
import { t } from './messages.ts';
import { onDemand } from './on-demand.tsx';
import { RailLink } from './rail-link.tsx';

const AgentMenu = onDemand(async () => (await import('./on-demand-parts.ts')).AgentMenu);

export function Rail() {
  const { name } = route.value;
  return (
    <aside class="rail" aria-label={t.menu}>
      <SiteSwitch />
      <div class="rail-pages">
        <nav aria-label={t.views}>
          <ViewList />
        </nav>
        <nav aria-label={t.otherPages}>
          <ul>
            <li>
              <RailLink
                href="/customers"
                icon="people"
                name={t.customersPage}
                isCurrent={name === 'customers' || name === 'customer'}
              />
            </li>
            <li>
              <RailLink href="/reports" icon="chart" name={t.reports} isCurrent={name === 'reports'} />
            </li>
            <li>
              <RailLink href="/settings" icon="settings" name={t.settings} isCurrent={name === 'settings'} />
            </li>
          </ul>
        </nav>
      </div>
      <AgentMenu />
    </aside>
  );
}

function SiteSwitch() {
  const sites = visibleSites.value;
  const chosen = sites.find(({ id }) => id === chosenSite.value);
  const name = chosen?.name ?? (sites.length === 1 ? sites[0]?.name : undefined) ?? t.allSites;
  const shown = (
    <>
      <Mark />
      <span class="rail-name">{name}</span>
    </>
  );
  if (sites.length < 2) return <p class="site-switch">{shown}</p>;
  return (
    <Menu
      label={t.siteIs(name)}
      buttonClass="site-switch"
      items={[
        { text: t.allSites, isChecked: chosen === undefined, run: () => chooseSite(null) },
        ...sites.map((site, index) => ({
          text: site.name,
          isChecked: site === chosen,
          isApart: index === 0,
          run: () => chooseSite(site.id),
        })),
      ]}
    >
      {shown}
      <Icon name="chevron" />
    </Menu>
  );
}

// What belongs into an empty list, and how it gets there.

import { Icon } from '../../shared/icons.tsx';
import { t } from '../on-demand-messages.ts';
import { Link, lastListPath } from '../route.ts';
import { can, session, visibleSites } from '../session.ts';
import { viewCounts, viewPath } from '../views/views.ts';
import type { ListSource } from './source.ts';

function textsOf(source: ListSource): [title: string, text: string] {
  if (source.kind === 'search') return [t.noMatches, t.noMatchesText];
  if (lastListPath.value.includes('?')) return [t.emptyFiltered, t.emptyFilteredText];
  switch (source.view.key) {
    case 'mine':
      return [t.emptyMine, t.emptyMineText];
    case 'unassigned':
      return [t.emptyUnassigned, t.emptyUnassignedText];
    case 'due-soon':
      return [t.emptyDueSoon, t.emptyDueSoonText];
    case 'breached':
      return [t.emptyBreached, t.emptyBreachedText];
    case 'snoozed':
      return [t.emptySnoozed, t.emptySnoozedText];
    case 'mentions':
      return [t.emptyMentions, t.emptyMentionsText];
    case 'drafts':
      return [t.emptyDrafts, t.emptyDraftsText];
    case 'all':
      return [t.emptyAll, t.emptyAllText];
    default:
      return [t.emptyView, t.emptyViewText];
  }
}

export function EmptyList({ source }: { source: ListSource }) {
  if (session.value !== null && visibleSites.value.length === 0) return <NoSite />;
  const isNew = source.kind === 'view' && viewCounts.value.all?.count === 0 && !lastListPath.value.includes('?');
  return isNew && can('manage') ? <NextSteps /> : <NoTickets source={source} />;
}

/** Of a new desk, or for an agent who was given no site. */
function NoSite() {
  const isOwner = can('own');
  return (
    <div class="list-note">
      <Icon name="inbox" />
      <h2>{isOwner ? t.noSite : t.noSiteSeen}</h2>
      <p>{isOwner ? t.noSiteText : t.noSiteSeenText}</p>
      {isOwner && (
        <Link href="/settings/first-steps" class="button primary">
          {t.beginFirstSteps}
        </Link>
      )}
    </div>
  );
}

/** There is a site, and nothing has come to it yet. */
function NextSteps() {
  const steps = [
    ['/settings/mailboxes', t.stepMail],
    ['/settings/customers-pages', t.stepForm],
    ['/settings/tokens', t.stepToken],
    ['/tickets/new', t.stepTicket],
  ] as const;
  return (
    <div class="list-note">
      <Icon name="inbox" />
      <h2>{t.emptyAll}</h2>
      <p>{t.nextSteps}</p>
      <ul class="next-steps">
        {steps.map(([path, text]) => (
          <li key={path}>
            <Link href={path}>{text}</Link>
          </li>
        ))}
      </ul>
      {can('own') && (
        <Link href="/settings/first-steps" class="button primary">
          {t.toFirstSteps}
        </Link>
      )}
    </div>
  );
}

function NoTickets({ source }: { source: ListSource }) {
  const [title, text] = textsOf(source);
  const isFiltered = source.kind === 'view' && lastListPath.value.includes('?');
  return (
    <div class="list-note">
      <Icon name={source.kind === 'search' ? 'search' : 'inbox'} />
      <h2>{title}</h2>
      <p>{text}</p>
      {isFiltered && <Link href={viewPath(source.view.key)}>{t.clearFilters}</Link>}
      {source.kind === 'view' && source.view.key === 'mine' && !isFiltered && (
        <Link href={viewPath('unassigned')}>{t.goToUnassigned}</Link>
      )}
    </div>
  );
}

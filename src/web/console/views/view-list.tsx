// The views in the rail.

import { useSignal } from '@preact/signals';
import { Button } from '../../shared/button.tsx';
import { count } from '../../shared/format.ts';
import type { IconName } from '../../shared/icon-paths.ts';
import { Icon } from '../../shared/icons.tsx';
import { announceRefusal } from '../../shared/notices.tsx';
import { refusalText } from '../../shared/refusal-text.ts';
import { route } from '../route.ts';
import { viewMark } from '../shell/initials.ts';
import { t } from '../shell/messages.ts';
import { RailLink } from '../shell/rail-link.tsx';
import { moved } from './order.ts';
import { SavedView } from './saved-view.tsx';
import {
  loadViews,
  orderViews,
  savedViews,
  type View,
  viewCounts,
  viewName,
  viewPath,
  views,
  viewsRefusal,
} from './views.ts';

const icons: Record<string, IconName> = {
  mine: 'person',
  mentions: 'at',
  drafts: 'pencil',
  unassigned: 'inbox',
  open: 'circle',
  'due-soon': 'clock',
  breached: 'warning',
  pending: 'pause',
  snoozed: 'moon',
  resolved: 'done',
  all: 'stack',
  'held-mail': 'mail',
};

export function ViewList() {
  const known = views.value;
  const saved = savedViews.value;
  const dragged = useSignal<number | null>(null);
  if (known === null) return <Missing />;

  function drop(onto: View): void {
    const id = dragged.peek();
    dragged.value = null;
    if (id === null || onto.id === null || id === onto.id) return;
    const ids = saved.map((view) => view.id ?? 0);
    void orderViews(moved(ids, id, ids.indexOf(onto.id))).then((answer) => {
      if (!answer.isOk) announceRefusal(answer.refusal);
    });
  }

  return (
    <>
      <ul>
        {known
          .filter(({ id }) => id === null)
          .map((view) => (
            <li key={view.key}>
              <ViewLink view={view} />
            </li>
          ))}
      </ul>
      {saved.length > 0 && (
        <>
          <h2 class="rail-title">{t.savedViews}</h2>
          <ul>
            {saved.map((view) => (
              <SavedView key={view.key} view={view} dragged={dragged} onDrop={() => drop(view)}>
                <ViewLink view={view} />
              </SavedView>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function ViewLink({ view }: { view: View }) {
  const { value: here } = route;
  const counted = viewCounts.value[view.key];
  const isWarning = view.key === 'breached' && counted !== undefined && counted.count > 0;
  return (
    <RailLink
      href={viewPath(view.key)}
      icon={icons[view.key] ?? { mark: viewMark(view.name) }}
      name={viewName(view)}
      isCurrent={here.name === 'inbox' && here.view === view.key}
      isWarning={isWarning}
      {...(counted === undefined || counted.count === 0
        ? {}
        : {
            count: `${count(counted.count)}${counted.is_capped ? '+' : ''}`,
            countText: t.ticketCount(count(counted.count), counted.is_capped),
          })}
    />
  );
}

function Missing() {
  const refusal = viewsRefusal.value;
  if (refusal === null) {
    return (
      <ul class="skeleton" aria-hidden="true">
        {Object.keys(icons).map((key) => (
          <li key={key} class="skeleton-bar rail-skeleton" />
        ))}
      </ul>
    );
  }
  return (
    <div class="rail-note" role="alert">
      <Icon name="alert" />
      <p>{refusalText(refusal)}</p>
      <Button kind="quiet" onClick={() => void loadViews()}>
        {t.tryAgain}
      </Button>
    </div>
  );
}

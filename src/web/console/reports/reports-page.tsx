// The reports: their list beside the one that is open.

import '../shell/on-demand-parts.ts';
import { useCommands } from '../commands.ts';
import { usePageTitle } from '../page-title.ts';
import { go, Link, route } from '../route.ts';
import { Empty } from '../shell/empty.tsx';
import { useFetched } from '../shell/fetched.ts';
import { NotFound } from '../shell/not-found.tsx';
import { RefusedPage } from '../shell/refused.tsx';
import { t } from './messages.ts';
import { SavedList } from './saved-list.tsx';
import { type ReportScreen, screens } from './screens.tsx';
import type { ReportDesk } from './wire.ts';

const pathOf = ({ id }: ReportScreen) => `/reports/${id}`;

export function ReportsPage() {
  const here = route.value;
  const wanted = here.name === 'reports' ? here.report : null;
  const open = wanted === null ? screens[0] : screens.find(({ id }) => id === wanted);
  const { data, refusal, reload } = useFetched<ReportDesk>('/desk');
  const desk = data.value?.data ?? null;
  const listed = screens.filter(({ isShown }) => desk === null || (isShown?.(desk) ?? true));
  usePageTitle(open?.title() ?? t.reports);
  const step = (by: number) => {
    const next = listed[listed.findIndex(({ id }) => id === open?.id) + by];
    if (next !== undefined) go(pathOf(next));
  };
  useCommands('page', [
    { id: 'next-report', title: t.nextReport, keys: ['j'], isOnlyByKey: true, run: () => step(1) },
    { id: 'previous-report', title: t.previousReport, keys: ['k'], isOnlyByKey: true, run: () => step(-1) },
    ...listed.map((screen) => ({
      id: `report:${screen.id}`,
      title: t.goTo(`${t.reports}: ${screen.title()}`),
      run: () => go(pathOf(screen)),
    })),
  ]);
  if (open === undefined) return <NotFound />;
  if (refusal.value !== null && desk === null)
    return <RefusedPage title={t.reports} refusal={refusal.value} onRetry={reload} />;
  return (
    <main id="content" class="reports" tabIndex={-1} aria-busy={desk === null || undefined}>
      <nav aria-label={t.reports}>
        <ul>
          {listed.map((screen) => (
            <li key={screen.id}>
              <Link href={pathOf(screen)} isCurrent={screen === open}>
                {screen.title()}
              </Link>
            </li>
          ))}
        </ul>
        {desk !== null && <SavedList open={open.id} timeZone={desk.time_zone} />}
      </nav>
      <div class="report" key={open.id}>
        {desk !== null && (open.isShown?.(desk) ?? true) && <open.Page desk={desk} />}
        {desk !== null && open.isShown?.(desk) === false && (
          <>
            <h1>{open.title()}</h1>
            <Empty icon="people" title={t.agentReportsOff}>
              {t.agentReportsOffText}
            </Empty>
          </>
        )}
      </div>
    </main>
  );
}

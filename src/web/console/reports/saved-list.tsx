// The saved reports beside the list of all, with what can be done with each, and the links to the live board.

import { useSignal } from '@preact/signals';
import { reportNames } from '../../../domain/reports/metrics.ts';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { Icon } from '../../shared/icons.tsx';
import { Menu } from '../../shared/menu.tsx';
import { announce, announceRefusal } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { Link, route } from '../route.ts';
import { can } from '../session.ts';
import { offerUndo } from '../undo.ts';
import { BoardLinks } from './board-links.tsx';
import { choiceOf } from './choice.ts';
import { dateIn } from './dates.ts';
import { t } from './messages.ts';
import { SaveReport } from './save-report.tsx';
import { pathOfSaved, type SavedReport, savedQuery } from './saved.ts';
import { useFresh } from './use-fresh.ts';

interface SavedListProps {
  /** The screen that is open. Not each is a report that can be saved. */
  open: string;
  timeZone: string;
}

/** What is open in a dialog. */
type Opened = { kind: 'new' } | { kind: 'change'; saved: SavedReport } | { kind: 'boards' };

export function SavedList({ open, timeZone }: SavedListProps) {
  const { data, reload } = useFresh<{ data: SavedReport[] }>('/reports/saved');
  const opened = useSignal<Opened | null>(null);
  const close = () => {
    opened.value = null;
  };
  const here = `${location.pathname}${location.search}`;
  const params = route.value.query;
  const shown = opened.value;
  const report = reportNames.find((one) => one === open);

  async function remove({ id, name, report, query, is_shared, schedule }: SavedReport): Promise<void> {
    const answer = await ask('DELETE', `/reports/saved/${id}`);
    if (!answer.isOk) return announceRefusal(answer.refusal);
    reload();
    offerUndo(t.savedDeleted(name), async () => {
      const again = await ask('POST', '/reports/saved', {
        name,
        report,
        query,
        is_shared,
        schedule: without(schedule),
      });
      if (!again.isOk) announceRefusal(again.refusal);
      reload();
    });
  }

  return (
    <section class="saved-reports" aria-label={t.savedReports}>
      <h2>{t.savedReports}</h2>
      <ul>
        {(data.value?.data ?? []).map((saved) => (
          <li key={saved.id}>
            <Link href={pathOfSaved(saved)} isCurrent={pathOfSaved(saved) === here} title={saved.name}>
              {saved.name}
            </Link>
            {(saved.is_own || can('manage')) && (
              <Menu
                label={t.savedMenu(saved.name)}
                buttonClass="icon-button"
                items={[
                  {
                    text: t.changeSaved,
                    run: () => {
                      opened.value = { kind: 'change', saved };
                    },
                  },
                  { text: t.deleteSaved, isDanger: true, isApart: true, run: () => void remove(saved) },
                ]}
              >
                <Icon name="more" />
              </Menu>
            )}
          </li>
        ))}
      </ul>
      <div class="saved-actions">
        {report !== undefined && (
          <Button
            onClick={() => {
              opened.value = { kind: 'new' };
            }}
          >
            {t.saveReport}
          </Button>
        )}
        {can('manage') && (
          <Button
            kind="quiet"
            onClick={() => {
              opened.value = { kind: 'boards' };
            }}
          >
            {t.liveBoard}
          </Button>
        )}
      </div>
      {shown?.kind === 'new' && report !== undefined && (
        <SaveReport
          title={t.saveReport}
          timeZone={timeZone}
          onSave={(input) => {
            const choice = choiceOf(report, params, dateIn(params.get('time_zone') ?? timeZone, now()));
            return ask('POST', '/reports/saved', { ...input, report, query: savedQuery(choice, params) });
          }}
          onSaved={reload}
          onClose={close}
        />
      )}
      {shown?.kind === 'change' && (
        <SaveReport
          title={t.changeSaved}
          timeZone={timeZone}
          saved={shown.saved}
          onSave={(input) => ask('PATCH', `/reports/saved/${shown.saved.id}`, input)}
          onSaved={() => {
            reload();
            announce(t.savedChanged);
          }}
          onClose={close}
        />
      )}
      {shown?.kind === 'boards' && <BoardLinks onClose={close} />}
    </section>
  );
}

function without(schedule: SavedReport['schedule']) {
  if (schedule === null) return null;
  const { next_at: _, ...asked } = schedule;
  return asked;
}

// The live board: six numbers for a screen on the wall, by a link. It asks again now and then, and shows when that fails.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type * as z from 'zod';
import type { boardShape } from '../../http/wire/reports/board.ts';
import { call } from '../shared/api.ts';
import { count, span, timeOfDay } from '../shared/format.ts';
import { addMessages, t as shared } from '../shared/messages.ts';
import { start } from '../shared/start.tsx';

const t = addMessages({
  en: () => import('../messages/board/en/pages.ts'),
  nl: () => import('../messages/board/nl/pages.ts'),
  de: () => import('../messages/board/de/pages.ts'),
  fr: () => import('../messages/board/fr/pages.ts'),
  es: () => import('../messages/board/es/pages.ts'),
});

type Board = z.output<typeof boardShape>;

const everyMs = 20_000;
const longestWaitMs = 300_000;

/** Stands after the #, because browsers do not send that part to servers. */
const secret = location.hash.slice(1);

const board = signal<Board | null>(null);
/** `closed`: the desk does not know the link. Then it is not asked again. */
const trouble = signal<'closed' | 'unreachable' | null>(secret === '' ? 'closed' : null);

/** Returns how long to wait before it asks again; null: never. */
async function ask(failures: number): Promise<number | null> {
  const answer = await call<{ data: Board }>('POST', '/reports/board', { secret });
  if (answer.isOk) {
    board.value = answer.data.data;
    trouble.value = null;
    document.title = answer.data.data.name;
    return everyMs;
  }
  const { status, retryAfterSeconds } = answer.refusal;
  if (status === 404 || status === 422) {
    board.value = null;
    trouble.value = 'closed';
    return null;
  }
  trouble.value = 'unreachable';
  const waitMs = Math.max(everyMs * 2 ** failures, (retryAfterSeconds ?? 0) * 1000);
  return Math.min(waitMs, longestWaitMs);
}

function keepFresh(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;
  let failures = 0;
  const next = async () => {
    const waitMs = await ask(failures);
    failures = trouble.value === null ? 0 : failures + 1;
    if (waitMs !== null && !hasEnded) timer = setTimeout(next, waitMs);
  };
  const atOnce = () => {
    if (trouble.value !== 'unreachable') return;
    clearTimeout(timer);
    failures = 0;
    void next();
  };
  addEventListener('online', atOnce);
  void next();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
    removeEventListener('online', atOnce);
  };
}

function Page() {
  useEffect(() => (trouble.value === 'closed' ? undefined : keepFresh()), []);
  if (trouble.value === 'closed') return <Closed />;
  const shown = board.value;
  return (
    <main class="board" aria-busy={shown === null}>
      <header>
        <h1>{shown?.name ?? ' '}</h1>
        <p class="board-state" role="status">
          {trouble.value === 'unreachable' ? (
            <strong>{shown === null ? shared.unreachable : t.notSince(timeOfDay(shown.at))}</strong>
          ) : (
            shown !== null && t.updatedAt(timeOfDay(shown.at))
          )}
        </p>
      </header>
      <dl class={trouble.value === null ? 'board-numbers' : 'board-numbers is-old'}>
        <Figure label={t.open} value={shown && counted(shown.open)} />
        <Figure label={t.unassigned} value={shown && counted(shown.unassigned)} />
        <Figure label={t.oldestWait} value={shown && waited(shown)} />
        <Figure
          label={t.dueSoon}
          value={shown && counted(shown.due_soon)}
          tone={shown?.due_soon.count ? 'soon' : null}
        />
        <Figure
          label={t.breachedToday}
          value={shown && count(shown.breached_today)}
          tone={shown?.breached_today ? 'late' : null}
        />
        <Figure label={t.agentsThere} value={shown && count(shown.agents_there)} />
      </dl>
    </main>
  );
}

const counted = ({ count: total, is_capped: isCapped }: Board['open']) => `${count(total)}${isCapped ? '+' : ''}`;

/** By the desk's clock: that of a screen on the wall may be wrong. */
function waited({ oldest_wait_since: since, at }: Board): string {
  return since === null ? '–' : span(Math.max(Date.parse(at) - Date.parse(since), 60_000));
}

interface FigureProps {
  label: string;
  value: string | null;
  /** Said with a mark beside the colour. */
  tone?: 'soon' | 'late' | null;
}

function Figure({ label, value, tone = null }: FigureProps) {
  return (
    <div class={tone === null ? 'board-number' : `board-number is-${tone}`}>
      <dt>{label}</dt>
      <dd>
        {value ?? ' '}
        {tone !== null && <span aria-hidden="true">{tone === 'late' ? '!' : '◔'}</span>}
      </dd>
    </div>
  );
}

function Closed() {
  return (
    <main class="board board-closed">
      <h1>{t.closed}</h1>
      <p>{t.closedNext}</p>
    </main>
  );
}

// A link that is opened in this tab changes only what stands after the #.
addEventListener('hashchange', () => location.reload());

await start(Page);

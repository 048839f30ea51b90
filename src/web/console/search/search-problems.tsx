// What the desk cannot follow in a search, or, without words, what can be searched for.

import { now } from '../../shared/clock.ts';
import { Icon } from '../../shared/icons.tsx';
import type { ListSource } from '../list/source.ts';
import { go } from '../route.ts';
import { searchPath } from './address.ts';
import type { SearchProblem } from './language.ts';
import { t } from './messages.ts';
import { exampleDate } from './moment.ts';
import { problemText } from './problem-text.ts';

/** The text with the mistake corrected. */
function corrected(text: string, { from, to, meant }: SearchProblem): string {
  return text.slice(0, from) + (/[\s,]/.test(meant) ? `"${meant}"` : meant) + text.slice(to);
}

export function SearchProblems({ source }: { source: Extract<ListSource, { kind: 'search' }> }) {
  const { text, problems } = source;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="search-problems" tabIndex={0} aria-label={t.searchHelp}>
      {problems.length > 0 && <Problems text={text} problems={problems} />}
      <SearchHelp />
    </section>
  );
}

function Problems({ text, problems }: { text: string; problems: readonly SearchProblem[] }) {
  return (
    <>
      <p class="searched-text" dir="auto">
        {marked(text, problems)}
      </p>
      <div role="alert">
        <ul>
          {problems.map((problem) => (
            <li key={`${problem.from} ${problem.code}`}>
              <Icon name="alert" />
              <span>{problemText(problem)}</span>
              {problem.meant !== '' && (
                <button type="button" class="button quiet" onClick={() => go(searchPath(corrected(text, problem)))}>
                  {t.searchUse(problem.meant)}
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function marked(text: string, problems: readonly SearchProblem[]) {
  const parts = [];
  let end = 0;
  for (const { from, to } of [...problems].sort((one, other) => one.from - other.from)) {
    if (from < end) continue;
    parts.push(text.slice(end, from), <mark key={from}>{text.slice(from, to)}</mark>);
    end = to;
  }
  return [...parts, text.slice(end)];
}

function SearchHelp() {
  const date = exampleDate(now());
  const examples: [string, string][] = [
    ['"charged twice"', t.helpPhrase],
    ['invoice -refund', t.helpExclude],
    ['#41', t.helpReference],
    ['status:open,pending', t.helpStatus],
    ['assignee:me', t.helpAssignee],
    ['team:"Second level"', t.helpTeam],
    ['tag:refund priority:high', t.helpTag],
    ['from:ana@example.org', t.helpFrom],
    ['cc:ana@example.org', t.helpParticipant],
    [`after:${date} before:7d`, t.helpDates],
    ['has:attachment', t.helpAttachment],
    ['is:breached', t.helpBreached],
  ];
  return (
    <div class="search-help">
      <h2>{t.searchHelp}</h2>
      <dl>
        {examples.map(([example, meaning]) => (
          <div key={example}>
            <dt>
              <code dir="ltr">{example}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

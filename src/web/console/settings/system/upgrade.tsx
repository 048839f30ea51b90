// What changed since the version that ran before, from the change log, in English.

import type { z } from 'zod';
import type { releaseShape, System } from '../../../../http/wire/system.ts';
import { dateAndTime } from '../../../shared/format.ts';
import { useFetched } from '../../shell/fetched.ts';
import { Refused } from '../../shell/refused.tsx';
import { Skeleton } from '../loading.tsx';
import { t } from './messages.ts';
import { Part } from './part.tsx';

export function Upgrade({ system }: { system: System }) {
  const { version, version_since: since, previous_version: previous } = system;
  const { data, refusal, reload } = useFetched<{ data: z.output<typeof releaseShape>[] }>('/system/releases');
  const releases = data.value?.data ?? null;
  return (
    <Part
      id="upgrade"
      title={previous === null ? t.upgradeTitle(version) : t.upgradeSince(previous)}
      lead={since === null ? undefined : t.upgradeBegan(version, dateAndTime(since))}
    >
      {releases === null &&
        (refusal.value === null ? <Skeleton /> : <Refused refusal={refusal.value} onRetry={reload} />)}
      <div class="panel releases" lang="en">
        {releases?.map(({ title, groups }, at) => (
          <details key={title} open={at === 0 && previous !== null}>
            <summary>{title}</summary>
            {groups.map((group) => (
              <section key={group.title}>
                <h3>{group.title}</h3>
                <ul>
                  {group.lines.map((line) => (
                    <li key={line}>
                      <Line text={line} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </details>
        ))}
      </div>
    </Part>
  );
}

/** Its code is marked by backticks, its names of screens by stars. */
function Line({ text }: { text: string }) {
  return (
    <>
      {text
        .split(/(`[^`]+`|\*[^*]+\*)/)
        .map((part, at) =>
          part.startsWith('`') && part.length > 2 ? (
            <code key={at}>{part.slice(1, -1)}</code>
          ) : part.startsWith('*') && part.length > 2 ? (
            <em key={at}>{part.slice(1, -1)}</em>
          ) : (
            part
          ),
        )}
    </>
  );
}

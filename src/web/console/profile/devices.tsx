// Where the agent is signed in.

import { useSignal } from '@preact/signals';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { ago, dateAndTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import type { Device } from '../../shared/wire.ts';
import { t } from './messages.ts';
import { Row, Section, State } from './section.tsx';
import { loadProfile } from './state.ts';

export const phones = ['iPhone', 'iPad', 'Android'];

export function Devices({ devices }: { devices: Device[] }) {
  const submission = useSubmission();
  const leaving = useSignal<number | null>(null);

  async function end(path: string, id: number | null, done: string): Promise<void> {
    leaving.value = id;
    const isDone = await submission.send(() => ask('DELETE', path));
    leaving.value = null;
    if (isDone === null) return;
    announce(done);
    await loadProfile();
  }

  const isAlone = devices.every(({ is_current: isCurrent }) => isCurrent);
  return (
    <Section
      id="devices"
      title={t.sessions}
      lead={t.sessionsLead}
      action={
        isAlone ? undefined : (
          <Button
            kind="danger"
            isBusy={submission.isBusy.value && leaving.value === null}
            onClick={() => void end('/me/sessions', null, t.sessionsEnded)}
          >
            {t.endOtherSessions}
          </Button>
        )
      }
    >
      <SubmissionNotice submission={submission} />
      {devices.map((device) => {
        const browser = browserOf(device);
        return (
          <Row
            key={device.id}
            icon={<Icon name={phones.includes(device.system ?? '') ? 'phone' : 'computer'} />}
            title={browser}
            detail={
              <>
                {device.is_current ? (
                  <State isOn text={t.thisDevice} />
                ) : (
                  <time dateTime={device.last_used_at} title={dateAndTime(device.last_used_at)}>
                    {t.lastActive(ago(device.last_used_at, now()))}
                  </time>
                )}
                {device.address !== '' && <span> · {device.address}</span>}
              </>
            }
          >
            {!device.is_current && (
              <Button
                label={t.endSessionOf(browser)}
                isBusy={leaving.value === device.id}
                onClick={() => void end(`/me/sessions/${device.id}`, device.id, t.sessionEnded)}
              >
                {t.endSession}
              </Button>
            )}
          </Row>
        );
      })}
    </Section>
  );
}

export function browserOf({ browser, system }: Pick<Device, 'browser' | 'system'>): string {
  if (browser !== null && system !== null) return t.browserOn(browser, system);
  return browser ?? system ?? t.unknownBrowser;
}

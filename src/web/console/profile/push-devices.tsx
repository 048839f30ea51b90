// The browsers that get the agent's notifications, this one first.

import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { now, timer } from '../../shared/clock.ts';
import { ago, dateAndTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { announce, Notice, SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import { canPush, forgetPush, type PushDevice, type PushDevices, pushPath, turnOnPush } from '../push/device.ts';
import { browserOf, phones } from './devices.tsx';
import { t } from './messages.ts';
import { Row, State } from './section.tsx';

const devices = signal<PushDevices | null>(null);

async function load(): Promise<void> {
  const answer = await ask<PushDevices>('GET', pushPath);
  if (answer.isOk) devices.value = answer.data;
}

const pause = (ms: number) => new Promise<void>((resolve) => timer.later(ms, resolve));
const looks = 20;
const lookEveryMs = 500;

/** Until the desk knows what became of the test. */
async function outcome(before: PushDevice): Promise<PushDevice | null> {
  for (let look = 0; look < looks; look++) {
    await pause(lookEveryMs);
    await load();
    const current = devices.peek()?.data.find(({ id }) => id === before.id);
    if (current === undefined) return null;
    if (current.last_error !== null || current.last_delivered_at !== before.last_delivered_at) return current;
  }
  return null;
}

export function PushDevicesPart() {
  const submission = useSubmission();
  const problem = useSignal<string | null>(null);
  const busy = useSignal<number | null>(null);
  useEffect(() => {
    void load();
  }, []);
  const loaded = devices.value;
  const own = loaded?.data.find(({ is_current: isCurrent }) => isCurrent);

  async function turnOn(publicKey: string): Promise<void> {
    busy.value = 0;
    problem.value = null;
    const refused = await turnOnPush(publicKey);
    busy.value = null;
    if (refused === 'denied') problem.value = t.pushDenied;
    else if (refused === 'failed') problem.value = t.pushUnreachable;
    else if (refused !== null) problem.value = refused.message;
    else announce(t.pushTurnedOn);
    await load();
  }

  async function remove(device: PushDevice): Promise<void> {
    busy.value = device.id;
    const isDone = await submission.send(() => ask('DELETE', `${pushPath}/${device.id}`));
    if (isDone !== null && device.is_current) await forgetPush();
    busy.value = null;
    if (isDone === null) return;
    announce(t.pushTurnedOff);
    await load();
  }

  async function test(device: PushDevice): Promise<void> {
    busy.value = device.id;
    problem.value = null;
    const isQueued = await submission.send(() => ask('POST', `${pushPath}/${device.id}/test`));
    const after = isQueued === null ? null : await outcome(device);
    busy.value = null;
    if (isQueued === null) return;
    if (after?.last_error === null) announce(t.pushTested);
    else problem.value = t.pushNotArrived(after?.last_error ?? '');
  }

  return (
    <>
      <SubmissionNotice submission={submission} />
      {problem.value !== null && <Notice kind="problem">{problem.value}</Notice>}
      <Row
        icon={<Icon name="computer" />}
        title={t.pushThisDevice}
        detail={canPush ? <State isOn={own !== undefined} text={own ? t.isOn : t.isOff} /> : t.pushUnsupported}
      >
        {own !== undefined && (
          <>
            <Button isBusy={busy.value === own.id} onClick={() => void test(own)}>
              {t.pushTest}
            </Button>
            <Button label={t.pushTurnOff} onClick={() => void remove(own)}>
              {t.turnOff}
            </Button>
          </>
        )}
        {own === undefined && canPush && loaded !== null && (
          <Button label={t.pushTurnOn} isBusy={busy.value === 0} onClick={() => void turnOn(loaded.public_key)}>
            {t.turnOn}
          </Button>
        )}
      </Row>
      {loaded?.data
        .filter(({ is_current: isCurrent }) => !isCurrent)
        .map((device) => (
          <Row
            key={device.id}
            icon={<Icon name={phones.includes(device.system ?? '') ? 'phone' : 'computer'} />}
            title={browserOf(device)}
            detail={<LastPush device={device} />}
          >
            <Button
              label={t.pushRemoveOf(browserOf(device))}
              isBusy={busy.value === device.id}
              onClick={() => void remove(device)}
            >
              {t.pushRemove}
            </Button>
          </Row>
        ))}
    </>
  );
}

function LastPush({ device }: { device: PushDevice }) {
  const { last_delivered_at: at, last_error: error } = device;
  if (error !== null) return t.pushNotArrived(error);
  if (at === null) return t.pushNever;
  return (
    <time dateTime={at} title={dateAndTime(at)}>
      {t.pushLast(ago(at, now()))}
    </time>
  );
}

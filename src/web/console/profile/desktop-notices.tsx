// Desktop notifications and the sound of this browser. The browser asks the agent only after a click here.

import { useSignal } from '@preact/signals';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { Icon } from '../../shared/icons.tsx';
import { announce, Notice } from '../../shared/notices.tsx';
import { play } from '../notifications/sound.ts';
import { canNotify, isShownOnDesktop, showOnDesktop, turnOffDesktop, turnOnDesktop } from '../push/device.ts';
import { t } from './messages.ts';
import { Row, State } from './section.tsx';

export function DesktopNotices() {
  const problem = useSignal<string | null>(null);
  const isOn = isShownOnDesktop.value && Notification.permission === 'granted';

  async function turnOn(): Promise<void> {
    problem.value = (await turnOnDesktop()) === 'denied' ? t.pushDenied : null;
    if (problem.value !== null) return;
    announce(t.desktopTurnedOn);
    const known = { id: 'trial', tag: 'trial', at: now() };
    await showOnDesktop({ ...known, title: 'Helpdesk', body: t.desktopTurnedOn, path: '/profile' });
  }

  async function listen(): Promise<void> {
    problem.value = (await play()) ? null : t.soundRefused;
  }

  return (
    <>
      {problem.value !== null && <Notice kind="problem">{problem.value}</Notice>}
      <Row
        icon={<Icon name="bell" />}
        title={t.desktopNotices}
        detail={canNotify ? <State isOn={isOn} text={isOn ? t.isOn : t.isOff} /> : t.desktopUnsupported}
      >
        {canNotify &&
          (isOn ? (
            <Button
              label={t.desktopTurnOff}
              onClick={() => {
                turnOffDesktop();
                announce(t.desktopTurnedOff);
              }}
            >
              {t.turnOff}
            </Button>
          ) : (
            <Button label={t.desktopTurnOn} onClick={() => void turnOn()}>
              {t.turnOn}
            </Button>
          ))}
      </Row>
      <Row icon={<Icon name="sound" />} title={t.placeSound} detail={t.soundHint}>
        <Button onClick={() => void listen()}>{t.soundTry}</Button>
      </Row>
    </>
  );
}

// What the console says when it cannot simply go on: an ended session, another agent, a newer version.

import { computed, effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from '../../shared/button.tsx';
import { timer } from '../../shared/clock.ts';
import { Icon } from '../../shared/icons.tsx';
import { endCalls, ended, signedInAgain } from '../../shared/signed-in.ts';
import { remembered } from '../remembered.ts';
import { session } from '../session.ts';
import { isFirstShown, onDemandPart } from '../shell/load-part.ts';
import { onDemand } from '../shell/on-demand.tsx';
import { connection, hello, noteMoments } from './live.ts';
import { t } from './messages.ts';
import { isOutdated, startUpgrading } from './upgrade.ts';

/** The sign-in page says so of an agent who came by a link, and has no other way to come again. */
const isPasswordSuggested = remembered('suggest-password', false);
const SuggestPassword = onDemand(async () => (await import('../shell/on-demand-parts.ts')).SuggestPassword);

/** The stream belongs to the agent whose cookie the browser has now. */
const isOfAnother = computed(() => {
  const own = session.value?.agent.id;
  const streamed = hello.value?.agent_id;
  return own !== undefined && streamed !== undefined && own !== streamed;
});

const streamPart = onDemandPart(async () => await import('./stream-part.ts'));
const retryMs = 5000;
/** A page that is refused, or waits, holds nothing up for longer. */
const firstAtMostMs = 3000;

export function startLiveLayer(): void {
  noteMoments();
  startUpgrading();
  effect(() => {
    if (isFirstShown.value) void streamPart.begin();
  });
  timer.later(firstAtMostMs, () => {
    isFirstShown.value = true;
  });
  effect(() => {
    const { value: loaded } = streamPart.state;
    if (loaded === 'failed') timer.later(retryMs, () => void streamPart.begin());
    else if (loaded !== null) {
      loaded.part.startStream();
      loaded.part.startPresence();
      loaded.part.startPush();
    }
  });
  effect(() => {
    if (isOfAnother.value) endCalls();
  });
}

/** The region is always there, so that screen readers watch it. */
export function LiveLayer() {
  return (
    <div class="live-bars" role="status">
      <NewestBar />
    </div>
  );
}

function NewestBar() {
  if (isOfAnother.value)
    return (
      <Bar text={t.otherSession(session.value?.agent.name ?? '')}>
        <Button kind="primary" onClick={() => location.reload()}>
          {t.reloadNow}
        </Button>
      </Bar>
    );
  if (connection.value === 'signed-out' && ended.value === null)
    return (
      <Bar text={t.sessionIsOver}>
        <Button kind="primary" onClick={() => void signedInAgain()}>
          {t.signInAgain}
        </Button>
      </Bar>
    );
  if (isOutdated.value)
    return (
      <Bar text={t.newVersion}>
        <Button onClick={() => location.reload()}>{t.reloadNow}</Button>
      </Bar>
    );
  if (isPasswordSuggested.value) return <SuggestPassword />;
  return null;
}

function Bar({ text, children }: { text: string; children: ComponentChildren }) {
  return (
    <div class="live-bar">
      <Icon name="alert" />
      <p>{text}</p>
      {children}
    </div>
  );
}

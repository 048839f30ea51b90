// One mailbox: how it goes, what can be done with it, and its settings.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { announce, announceRefusal } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { go } from '../../route.ts';
import { can } from '../../session.ts';
import { tensOfSeconds } from '../../ticking.ts';
import { offerUndo } from '../../undo.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { t } from '../messages.ts';
import { Alarms, Watch } from '../proof/watch.tsx';
import { RemoveButton } from '../remove-button.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { ChangeMailbox } from './change-mailbox.tsx';
import { connect } from './connect.ts';
import { LastTimes, MailboxState } from './state.tsx';
import { hasArrived, Trial } from './trial.tsx';
import type { Mailbox, MailboxTrial } from './wire.ts';

export function MailboxPage({ site, id }: SectionProps) {
  const path = `/sites/${site.id}/mailboxes/${encodeURIComponent(id ?? '')}`;
  const live = useLiveData<Mailbox>(path);
  const found = live.shown.value;
  if (found === null) return <Loading of={live} isOne />;
  return <LoadedMailbox {...{ site, path, found }} reload={live.reload} />;
}

interface LoadedProps extends Pick<SectionProps, 'site'> {
  path: string;
  found: Versioned<Mailbox>;
  reload: () => Promise<void>;
}

function LoadedMailbox({ site, path, found, reload }: LoadedProps) {
  const { id, name, address } = found.data;
  const trial = useSignal<MailboxTrial | null>(null);
  const trying = useSubmission();
  const trusted = useSignal<{ kind: 'imap' | 'smtp'; sha256: string } | null>(null);

  async function test(): Promise<void> {
    trial.value = null;
    const answer = await trying.send(() => ask<{ data: MailboxTrial }>('POST', `${path}/test`));
    if (answer !== null) trial.value = answer.data;
    else if (trying.refusal.value !== null) announceRefusal(trying.refusal.value);
    await reload();
  }
  useEffect(() => {
    if (hasArrived(id)) void test();
  }, [id]);

  return (
    <>
      <SectionHead title={name} lead={<bdi>{address}</bdi>}>
        {can('manage') && (
          <Actions
            {...{ site, path, mailbox: found.data, reload }}
            isTesting={trying.isBusy.value}
            onTest={() => void test()}
          />
        )}
      </SectionHead>
      <Health mailbox={found.data} />
      <Alarms alarms={found.data.alarms} />
      <Trial
        trial={trial.value}
        onTrust={
          can('manage')
            ? (kind, sha256) => {
                trusted.value = { kind, sha256 };
              }
            : null
        }
      />
      <ChangeMailbox {...{ path, found, reload }} trusted={trusted.value} onSaved={() => void test()} />
      <Watch {...{ site, path, found, reload }} />
      <LastChange
        siteId={site.id}
        actions={['mailbox.created', 'mailbox.updated', 'mailbox.connected']}
        targetId={id}
        version={found.etag}
      />
      <EqualCommand words={['helpdesk', 'mailbox', 'test', String(id), '--site', site.slug]} />
    </>
  );
}

function Health({ mailbox }: { mailbox: Mailbox }) {
  const { state, state_reason: reason } = mailbox;
  const advice = {
    waiting: t.adviceWaiting,
    connected: null,
    failing: t.adviceFailing,
    refused: t.adviceRefused,
    consent_needed: t.adviceConsent,
    paused: t.advicePaused,
    send_only: t.adviceSendOnly,
  }[state];
  // Read, so that the times stay true.
  tensOfSeconds.value;
  return (
    <div class="panel mailbox-now" role="status">
      <p>
        <MailboxState state={state} />
        <LastTimes mailbox={mailbox} />
      </p>
      {advice !== null && <p>{advice}</p>}
      {reason !== null && state !== 'paused' && (
        <p class="soft">
          <bdi lang="en">{reason}</bdi>
        </p>
      )}
    </div>
  );
}

interface ActionsProps extends Pick<SectionProps, 'site'> {
  path: string;
  mailbox: Mailbox;
  reload: () => Promise<void>;
  isTesting: boolean;
  onTest: () => void;
}

function Actions({ site, path, mailbox, reload, isTesting, onTest }: ActionsProps) {
  const { state, is_paused: isPaused, incoming, authentication } = mailbox;
  const acting = useSubmission();

  async function act(verb: 'pause' | 'resume' | 'sync'): Promise<boolean> {
    const isDone = (await acting.send(() => ask('POST', `${path}/${verb}`))) !== null;
    if (!isDone && acting.refusal.value !== null) announceRefusal(acting.refusal.value);
    await reload();
    return isDone;
  }
  async function pause(): Promise<void> {
    if (await act('pause')) offerUndo(t.mailboxPaused(mailbox.name), async () => void (await act('resume')));
  }
  async function consent(): Promise<void> {
    await acting.send(() => connect(path));
    if (acting.refusal.value !== null) announceRefusal(acting.refusal.value);
  }

  const needsConsent = state === 'consent_needed';
  return (
    <>
      {authentication === 'oauth' && (
        <Button kind={needsConsent ? 'primary' : 'plain'} isBusy={acting.isBusy.value} onClick={() => void consent()}>
          {needsConsent && mailbox.last_look_at === null ? t.connect : t.connectAgain}
        </Button>
      )}
      <Button isBusy={isTesting} onClick={onTest}>
        {t.testMailbox}
      </Button>
      {incoming !== null && !isPaused && !needsConsent && (
        <Button
          isBusy={acting.isBusy.value}
          onClick={() => void act('sync').then((isDone) => isDone && announce(t.lookingNow))}
        >
          {t.lookNow}
        </Button>
      )}
      {incoming !== null &&
        (isPaused || state === 'refused' ? (
          <Button kind="primary" isBusy={acting.isBusy.value} onClick={() => void act('resume')}>
            {isPaused ? t.resume : t.tryReadingAgain}
          </Button>
        ) : (
          <Button isBusy={acting.isBusy.value} onClick={() => void pause()}>
            {t.pause}
          </Button>
        ))}
      <RemoveButton
        title={t.removeMailboxTitle(mailbox.name)}
        text={t.removeMailboxText}
        action={t.removeMailbox}
        send={() => ask('DELETE', path)}
        onDone={() => {
          announce(t.mailboxRemoved(mailbox.name));
          go(settingsPath('mailboxes', undefined, site), { replace: true });
        }}
      />
    </>
  );
}

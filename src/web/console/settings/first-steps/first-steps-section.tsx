// First steps: from a new desk to the first ticket, for owners. What is done is read from the desk, and what was skipped.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type FirstStep, firstSteps } from '../../../../domain/sites/site.ts';
import { Button } from '../../../shared/button.tsx';
import { Icon } from '../../../shared/icons.tsx';
import { announceRefusal } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { Link } from '../../route.ts';
import type { Site } from '../../session.ts';
import { Refused } from '../../shell/refused.tsx';
import { viewPath } from '../../views/views.ts';
import { t as ofDesk } from '../desk/messages.ts';
import { SectionHead } from '../section-head.tsx';
import { openSite, settingsPath } from '../settings-route.ts';
import { ConnectStep } from './connect-step.tsx';
import { t } from './messages.ts';
import { type Progress, useProgress } from './progress.ts';
import { SiteStep } from './site-step.tsx';
import { TeamStep } from './team-step.tsx';
import { TestStep } from './test-step.tsx';

export function FirstStepsSection() {
  const site = openSite.value;
  return (
    <>
      <SectionHead title={t.firstSteps} lead={t.firstStepsLead} />
      {site === null ? (
        <Steps key="none" progress={{ site: false }} skipped={[]} site={null} />
      ) : (
        <OfSite key={site.id} site={site} />
      )}
    </>
  );
}

function OfSite({ site }: { site: Site }) {
  const { progress, skipped, refusal, reload } = useProgress(site);
  if (progress === null)
    return refusal === null ? <div aria-busy="true" /> : <Refused {...{ refusal }} onRetry={reload} />;
  return <Steps {...{ progress, skipped, site }} onChanged={reload} />;
}

interface StepsProps {
  progress: Progress;
  skipped: readonly FirstStep[];
  site: Site | null;
  onChanged?: () => void;
}

function Steps({ progress, skipped: kept, site, onChanged = () => undefined }: StepsProps) {
  // Shown before the desk has kept it.
  const marked = useSignal<readonly FirstStep[] | null>(null);
  const skipped = marked.value ?? kept;
  const isSettled = (name: FirstStep) => progress[name] === true || skipped.includes(name);
  const next = firstSteps.find((name) => !isSettled(name)) ?? null;
  // Until the owner goes on: what has just arrived can be read.
  const open = useSignal(next);
  const done = firstSteps.filter((name) => progress[name] === true).length;
  const mark = (name: FirstStep, isSkipped: boolean) => {
    const others = skipped.filter((one) => one !== name);
    if (site !== null && isSkipped !== skipped.includes(name)) void keep(site, isSkipped ? [...others, name] : others);
    open.value = isSkipped ? (firstSteps.find((one) => one !== name && !isSettled(one)) ?? null) : name;
  };
  async function keep({ id }: Site, steps: readonly FirstStep[]): Promise<void> {
    marked.value = steps;
    const answer = await ask('PATCH', `/sites/${id}`, { settings: { skipped_steps: steps } });
    if (answer.isOk) return;
    marked.value = null;
    announceRefusal(answer.refusal);
  }
  const pages: Record<FirstStep, () => ComponentChildren> = {
    site: () => <SiteStep site={site} />,
    address: () => site && <AddressStep site={site} />,
    test: () => site && <TestStep site={site} />,
    team: () => site && <TeamStep site={site} onInvited={onChanged} />,
    connect: () => site && <ConnectStep site={site} />,
  };
  return (
    <>
      <p class="steps-done" role="status">
        {next !== null
          ? t.stepsDone(done, firstSteps.length)
          : done === firstSteps.length
            ? t.stepsAllDone
            : t.stepsLeftOut(done, firstSteps.length - done, firstSteps.length)}
      </p>
      <ol class="first-steps">
        {firstSteps.map((name, at) => (
          <Step
            key={name}
            number={at + 1}
            title={titles[name]()}
            state={progress[name] === true ? 'done' : skipped.includes(name) ? 'skipped' : 'open'}
            isOpen={name === open.value}
            isPossible={site !== null || name === 'site'}
            onOpen={() => mark(name, false)}
            onSkip={name === 'site' ? null : () => mark(name, true)}
            onContinue={() => {
              open.value = next;
            }}
          >
            {pages[name]()}
          </Step>
        ))}
      </ol>
      {site !== null && (
        <p>
          <Link href={viewPath('unassigned')} class={next === null ? 'button primary' : 'button'}>
            {t.toInbox}
          </Link>
        </p>
      )}
    </>
  );
}

const titles: Record<FirstStep, () => string> = {
  site: () => t.stepSite,
  address: () => t.stepAddress,
  test: () => t.stepTest,
  team: () => t.stepTeam,
  connect: () => t.stepConnect,
};

interface StepProps {
  number: number;
  title: string;
  state: 'done' | 'skipped' | 'open';
  isOpen: boolean;
  isPossible: boolean;
  onOpen: () => void;
  onSkip: (() => void) | null;
  onContinue: () => void;
  children: ComponentChildren;
}

function Step({ number, title, state, isOpen, isPossible, onOpen, onSkip, onContinue, children }: StepProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (isOpen && !wasOpen.current) heading.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const word = state === 'done' ? t.stepDone : state === 'skipped' ? t.stepSkipped : null;
  const show = state === 'done' ? t.stepAgain : t.stepShow;
  return (
    <li class={`first-step is-${state}${isOpen ? ' panel' : ''}`} aria-labelledby={id}>
      <header>
        <span class="step-mark" aria-hidden="true">
          {state === 'done' ? <Icon name="check" /> : number}
        </span>
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title} {word !== null && <span class="soft">{word}</span>}
        </h2>
        {!isOpen && isPossible && (
          <Button kind="quiet" label={t.stepAction(show, title)} onClick={onOpen}>
            {show}
          </Button>
        )}
        {isOpen && state === 'open' && onSkip !== null && (
          <Button kind="quiet" label={t.stepAction(t.skipStep, title)} onClick={onSkip}>
            {t.skipStep}
          </Button>
        )}
      </header>
      {isOpen && (
        <div class="step-body">
          {children}
          {state !== 'open' && (
            <div>
              <Button kind="primary" onClick={onContinue}>
                {t.continueSteps}
              </Button>
            </div>
          )}
        </div>
      )}
    </li>
  );
}

/** How mail comes to the desk: by a mailbox, by a provider, or later. */
function AddressStep({ site }: { site: Site }) {
  return (
    <>
      <p>{t.stepAddressLead}</p>
      <ul class="mail-ways">
        <li>
          <Link href={settingsPath('mailboxes', 'new', site)}>{t.byMailbox}</Link>
          <p class="soft">{t.byMailboxText}</p>
        </li>
        <li>
          <Link href={settingsPath('inbound', undefined, site)}>{t.byProvider}</Link>
          <p class="soft">{t.byProviderText}</p>
        </li>
      </ul>
      <div>
        <Link href={settingsPath('mail-server')}>{ofDesk.mailServer}</Link>
        <p class="soft">{ofDesk.mailServerLead}</p>
      </div>
    </>
  );
}

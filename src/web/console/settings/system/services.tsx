// The virus scanner and the store of files, tried by a press.

import { useSignal } from '@preact/signals';
import type { ServiceTrial } from '../../../../http/wire/system.ts';
import { Button } from '../../../shared/button.tsx';
import { count } from '../../../shared/format.ts';
import { Notice, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { Link } from '../../route.ts';
import { t as ofDesk } from '../desk/messages.ts';
import { settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';
import { Part } from './part.tsx';

interface Trials {
  scanner: ServiceTrial;
  files: ServiceTrial;
}

function useTrials() {
  const trying = useSubmission();
  const trials = useSignal<Trials | null>(null);
  async function test(): Promise<void> {
    trials.value = (await trying.send(() => ask<{ data: Trials }>('POST', '/system/services/test')))?.data ?? null;
  }
  return { trying, test, found: trials.value };
}

export function Services() {
  const { trying, test, found } = useTrials();
  return (
    <Part
      id="services"
      title={t.services}
      lead={t.servicesLead}
      actions={
        <Button isBusy={trying.isBusy.value} onClick={() => void test()}>
          {t.servicesTest}
        </Button>
      }
    >
      <p>
        <Link href={settingsPath('bucket')}>{ofDesk.bucket}</Link>
      </p>
      <SubmissionNotice submission={trying} />
      <div role="status" class="services">
        {found !== null && <Said name={found.files.is_set ? t.serviceBucket : t.serviceDisk} trial={found.files} />}
        {found?.scanner.is_set && <Said name={t.serviceScanner} trial={found.scanner} />}
        {found !== null && !found.scanner.is_set && <p class="soft">{t.serviceNoScanner}</p>}
      </div>
    </Part>
  );
}

/** Beside what is set of the bucket, by an owner or by the environment. */
export function TestBucket() {
  const { trying, test, found } = useTrials();
  return (
    <>
      <div>
        <Button isBusy={trying.isBusy.value} onClick={() => void test()}>
          {t.bucketTest}
        </Button>
      </div>
      <SubmissionNotice submission={trying} />
      <div role="status">{found !== null && <Said name={t.serviceBucket} trial={found.files} />}</div>
    </>
  );
}

function Said({ name, trial: { is_up: isUp, milliseconds, message } }: { name: string; trial: ServiceTrial }) {
  return (
    <Notice kind={isUp ? 'done' : 'problem'}>
      {isUp ? t.serviceWorks(name, count(milliseconds)) : t.serviceFails(name)}{' '}
      {message !== null && <bdi lang="en">{message}</bdi>}
    </Notice>
  );
}

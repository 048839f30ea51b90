// All settings of the environment, to read.

import type { EnvironmentSetting } from '../../../../http/wire/system.ts';
import { useFetched } from '../../shell/fetched.ts';
import { Refused } from '../../shell/refused.tsx';
import { Environment } from '../desk/environment.tsx';
import { EqualCommand } from '../equal-command.tsx';
import { Skeleton } from '../loading.tsx';
import { SectionHead } from '../section-head.tsx';
import { t } from './messages.ts';

export function EnvironmentSection() {
  const { data, refusal, reload } = useFetched<{ data: EnvironmentSetting[] }>('/system/settings');
  const settings = data.value?.data ?? null;
  return (
    <>
      <SectionHead title={t.environment} lead={t.environmentLead} />
      {settings === null && refusal.value === null && <Skeleton />}
      {settings === null && refusal.value !== null && <Refused refusal={refusal.value} onRetry={reload} />}
      {settings !== null && <Environment settings={settings} />}
      <EqualCommand words={['helpdesk', 'config']} />
    </>
  );
}

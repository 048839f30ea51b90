// The first step: what the desk and its first site are called.

import { useEffect } from 'preact/hooks';
import { Submit } from '../../../shared/button.tsx';
import { TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { announce, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useForm } from '../../../shared/submission.ts';
import { chooseSite, loadSession, type Site } from '../../session.ts';
import { EqualCommand } from '../equal-command.tsx';
import { useLiveData } from '../live-data.ts';
import { t } from './messages.ts';
import { newSite } from './progress.ts';

export function SiteStep({ site }: { site: Site | null }) {
  return site === null ? <MakeSite /> : <p>{t.siteIsMade(site.name)}</p>;
}

function MakeSite() {
  const form = useForm({ desk_name: '', name: '' });
  const desk = useLiveData<{ name: string }>('/desk').shown.value;
  useEffect(() => {
    if (desk !== null && form.values.desk_name === '') form.change({ desk_name: desk.data.name });
  }, [desk === null]);

  async function make(): Promise<void> {
    const { name, desk_name: deskName } = form.values;
    if (name.trim() === '') return form.refuse({ name: t.required });
    const named = await form.send(async () => {
      if (deskName.trim() !== '' && deskName.trim() !== desk?.data.name) {
        const answer = await ask<object>('PATCH', '/desk', { name: deskName });
        if (!answer.isOk) return answer;
      }
      return await ask<{ data: Site; site_token: string }>('POST', '/sites', { name });
    });
    if (named === null || !('site_token' in named)) return;
    newSite.value = { slug: named.data.slug, token: named.site_token };
    await loadSession();
    chooseSite(named.data.id);
    announce(t.siteWasMade(named.data.name));
  }

  return (
    <Form submission={form} label={t.stepSite} onSubmit={() => void make()}>
      <p>{t.stepSiteLead}</p>
      <SubmissionNotice submission={form} fields={['name']} />
      <TextField
        label={t.stepsDeskName}
        hint={t.stepsDeskNameHint}
        maxLength={255}
        isProse
        {...form.field('desk_name')}
      />
      <TextField label={t.siteName} hint={t.stepsSiteNameHint} maxLength={255} isRequired {...form.field('name')} />
      <div>
        <Submit submission={form}>{t.makeSite}</Submit>
      </div>
      <EqualCommand words={['helpdesk', 'site', 'create', '--name', form.values.name.trim() || t.siteNameExample]} />
    </Form>
  );
}

// The sites of the desk, and a new one.

import { useSignal } from '@preact/signals';
import { Submit } from '../../../shared/button.tsx';
import { TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { Icon } from '../../../shared/icons.tsx';
import { SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useForm } from '../../../shared/submission.ts';
import { go, Link } from '../../route.ts';
import { loadSession, type Site, sessionRefusal, visibleSites } from '../../session.ts';
import { FoundList } from '../desk/found-list.tsx';
import { NewSecret } from '../desk/new-secret.tsx';
import { EqualCommand } from '../equal-command.tsx';
import { newSite } from '../first-steps/progress.ts';
import { LastChange } from '../last-change.tsx';
import { SectionHead } from '../section-head.tsx';
import { settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';

export function SitesSection() {
  const form = useForm({ name: '' });
  const made = useSignal<{ site: Site; token: string } | null>(null);

  async function add(): Promise<void> {
    const name = form.values.name.trim();
    if (name === '') return form.refuse({ name: t.required });
    const answer = await form.send(() => ask<{ data: Site; site_token: string }>('POST', '/sites', { name }));
    if (answer === null) return;
    made.value = { site: answer.data, token: answer.site_token };
    newSite.value = { slug: answer.data.slug, token: answer.site_token };
    form.change({ name: '' });
    await loadSession();
  }

  return (
    <>
      <SectionHead title={t.sitesOfDesk} lead={t.sitesLead} />
      <FoundList
        label={t.sitesOfDesk}
        rows={visibleSites.value}
        refusal={sessionRefusal}
        reload={() => void loadSession()}
        textOf={({ name, slug }) => `${name}\n${slug}`}
        none={null}
      >
        {(site) => (
          <li key={site.id}>
            <Icon name="stack" />
            <div class="mailbox-name">
              <Link href={settingsPath('general', undefined, site)} class="row-link">
                <bdi>{site.name}</bdi>
              </Link>
              <p class="soft" title={site.slug}>
                {site.slug}
              </p>
            </div>
          </li>
        )}
      </FoundList>
      <div class="panel">
        <Form submission={form} label={t.addSite} onSubmit={() => void add()}>
          <SubmissionNotice submission={form} fields={['name']} />
          <TextField label={t.newSiteName} maxLength={255} isProse isRequired {...form.field('name')} />
          <div>
            <Submit submission={form}>{t.addSite}</Submit>
          </div>
        </Form>
      </div>
      <LastChange
        siteId={null}
        actions={['site.created', 'site.updated', 'site.deleted']}
        targetId={null}
        version={JSON.stringify(visibleSites.value)}
      />
      <EqualCommand words={['helpdesk', 'site', 'create', '--name', form.values.name.trim() || 'Web shop']} />
      {made.value !== null && (
        <NewSecret
          title={t.newTokenTitle}
          text={t.newTokenText}
          lines={[{ name: t.siteToken, value: made.value.token }]}
          onClose={() => {
            const { value } = made;
            made.value = null;
            if (value !== null) go(settingsPath('first-steps', undefined, value.site));
          }}
        />
      )}
    </>
  );
}

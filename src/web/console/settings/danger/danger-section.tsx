// A new token for the site, and its removal.

import { useSignal } from '@preact/signals';
import { Button, Submit } from '../../../shared/button.tsx';
import { TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { count } from '../../../shared/format.ts';
import { announce, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useForm } from '../../../shared/submission.ts';
import { go, Link } from '../../route.ts';
import { loadSession, type Site } from '../../session.ts';
import { useFetched } from '../../shell/fetched.ts';
import { NewSecret } from '../desk/new-secret.tsx';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { Loading } from '../loading.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';
import { NewSiteToken } from './new-site-token.tsx';

export function DangerSection({ site }: SectionProps) {
  return (
    <>
      <SectionHead title={t.danger} lead={t.dangerLead} />
      <SiteToken site={site} />
      <Removal site={site} />
    </>
  );
}

interface OfSite {
  site: Site;
}

function SiteToken({ site }: OfSite) {
  const isAsking = useSignal(false);
  const made = useSignal<string | null>(null);
  const turns = useSignal(0);
  return (
    <section class="site-part" aria-labelledby="site-token">
      <h2 id="site-token">{t.siteToken}</h2>
      <p>{t.siteTokenText}</p>
      <p class="soft">
        {t.inboundSecretElsewhere} <Link href={settingsPath('inbound', undefined, site)}>{t.inboundMail}</Link>.
      </p>
      <div>
        <Button
          onClick={() => {
            isAsking.value = true;
          }}
        >
          {t.makeToken}
        </Button>
      </div>
      <LastChange siteId={site.id} actions={['site.token_rotated']} targetId={site.id} version={String(turns.value)} />
      <EqualCommand words={['helpdesk', 'site', 'rotate-token', site.slug]} />
      {isAsking.value && (
        <NewSiteToken
          site={site}
          onDone={(token) => {
            isAsking.value = false;
            made.value = token;
            turns.value += 1;
          }}
          onClose={() => {
            isAsking.value = false;
          }}
        />
      )}
      {made.value !== null && (
        <NewSecret
          title={t.newTokenTitle}
          text={t.newTokenText}
          lines={[{ name: t.siteToken, value: made.value }]}
          onClose={() => {
            made.value = null;
          }}
        />
      )}
    </section>
  );
}

function Removal({ site }: OfSite) {
  const form = useForm({ slug: '' });
  const { data, refusal, reload } = useFetched<{ meta: { total: number } }>(
    `/tickets?site_id=${site.id}&include_test=true&per_page=1`,
  );
  const total = data.value?.meta.total ?? null;

  async function remove(): Promise<void> {
    if (form.values.slug.trim() !== site.slug) return form.refuse({ slug: t.slugDiffers });
    const removed = await form.send(() => ask<null>('DELETE', `/sites/${site.id}?confirm=${site.slug}`));
    if (removed === null && form.refusal.value !== null) return;
    await loadSession();
    go('/settings');
    announce(t.siteWasDeleted(site.name));
  }

  return (
    <section class="site-part" aria-labelledby="delete-site">
      <h2 id="delete-site">{t.deleteSite}</h2>
      <Loading of={{ shown: data, refusal, reload }} />
      {total !== null && <p>{t.deleteTakes(t.ticketCount(count(total), false))}</p>}
      <Form submission={form} label={t.deleteSite} onSubmit={() => void remove()}>
        <SubmissionNotice submission={form} fields={['slug']} />
        <TextField label={t.typeSlug(site.slug)} maxLength={64} isCode {...form.field('slug')} />
        <div>
          <Submit submission={form} kind="danger">
            {t.deleteSite}
          </Submit>
        </div>
      </Form>
      <EqualCommand words={['helpdesk', 'site', 'rm', site.slug]} />
    </section>
  );
}

// What the desk's own mails to customers say: which there are, in which language, and in whose words.

import { useSignal } from '@preact/signals';
import type { Locale } from '../../../../domain/people/preferences.ts';
import { ChoiceField } from '../../../shared/field.tsx';
import { Icon } from '../../../shared/icons.tsx';
import { languageNames } from '../../../shared/messages.ts';
import { Link } from '../../route.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { idOfTemplate, mailNames } from './mail-names.ts';
import { MailTemplatePage } from './mail-template-page.tsx';
import { t } from './messages.ts';
import type { MailTemplate } from './wire.ts';

export function MailTemplatesSection({ site, id }: SectionProps) {
  return id === null ? <TemplateList site={site} /> : <MailTemplatePage site={site} id={id} />;
}

function TemplateList({ site }: Pick<SectionProps, 'site'>) {
  const { shown, refusal, reload } = useLiveData<MailTemplate[]>(`/sites/${site.id}/mail-templates`);
  const ofSite = useLiveData<{ settings: { locale: Locale | null } }>(`/sites/${site.id}`);
  const chosen = useSignal<Locale | null>(null);
  const templates = shown.value?.data ?? null;
  const own = ofSite.shown.value?.data.settings.locale ?? 'en';
  const locale = chosen.value ?? own;
  const options = (Object.keys(languageNames) as Locale[]).map((value) => ({ value, text: languageNames[value] }));
  const names = mailNames();
  return (
    <>
      <SectionHead title={t.mailTemplates} lead={t.mailTemplatesLead} />
      <Loading of={{ shown, refusal, reload }} />
      {templates !== null && (
        <>
          <ChoiceField
            label={t.mailLanguage}
            hint={t.mailLanguageHint(languageNames[own])}
            value={locale}
            options={options}
            onValue={(value) => {
              chosen.value = value;
            }}
          />
          <ul class="panel mailboxes" aria-label={t.mailTemplates}>
            {templates
              .filter((one) => one.locale === locale)
              .map((one) => (
                <li key={one.name}>
                  <Icon name="mail" />
                  <div class="mailbox-name">
                    <Link href={settingsPath('mail-templates', idOfTemplate(one), site)} class="row-link">
                      {names[one.name].name}
                    </Link>
                    <p class="soft">{names[one.name].when}</p>
                  </div>
                  <div class="mailbox-health">
                    <span class={one.is_custom ? 'badge' : 'soft'}>{one.is_custom ? t.ownWords : t.wordsOfDesk}</span>
                  </div>
                </li>
              ))}
          </ul>
          <LastChange
            siteId={site.id}
            actions={['mail_template.created', 'mail_template.updated', 'mail_template.deleted']}
            targetId={null}
            version={shown.value?.etag ?? ''}
          />
          <EqualCommand words={['helpdesk', 'template', 'list', '--site', site.slug]} />
        </>
      )}
    </>
  );
}

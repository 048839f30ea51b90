// One mail in one language: its words, what they will look like, and a test.

import { templateProblems } from '../../../../domain/mail/template.ts';
import type { Answer } from '../../../shared/api.ts';
import { Button } from '../../../shared/button.tsx';
import { TextField } from '../../../shared/field.tsx';
import { languageNames } from '../../../shared/messages.ts';
import { announce, announceRefusal } from '../../../shared/notices.tsx';
import { RichHtml } from '../../../shared/rich-html.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { can } from '../../session.ts';
import { NotFoundNote } from '../../shell/not-found.tsx';
import type { Edited } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import type { SectionProps } from '../settings-route.ts';
import { idOfTemplate, mailNames } from './mail-names.ts';
import { t } from './messages.ts';
import { WordsField } from './placeholders.tsx';
import { usePreview } from './preview.tsx';
import { problemText } from './template-problems.ts';
import type { MailTemplate, ShownMail } from './wire.ts';

interface Words {
  subject: string;
  body: string;
}

const wordsOf = ({ subject, body }: Pick<MailTemplate, 'subject' | 'body'>): Words => ({
  subject: subject ?? '',
  body,
});
const etagOf = ({ updated_at: at }: MailTemplate) => at ?? 'own';
const isSame = (one: Words, other: Words) => one.subject === other.subject && one.body === other.body;

export function MailTemplatePage({ site, id }: SectionProps) {
  const list = `/sites/${site.id}/mail-templates`;
  const { shown, refusal, reload } = useLiveData<MailTemplate[]>(list);
  const find = (templates: readonly MailTemplate[] | undefined) => templates?.find((one) => idOfTemplate(one) === id);
  const found = find(shown.value?.data);
  if (found === undefined)
    return shown.value === null ? (
      <Loading of={{ shown, refusal, reload }} isOne />
    ) : (
      <>
        <SectionHead title={t.notFound} />
        <NotFoundNote />
      </>
    );
  const path = `${list}/${found.name}/${found.locale}`;
  const own = wordsOf(found.own_words);

  async function put(words: Words, etag: string): Promise<Answer<{ data: MailTemplate }>> {
    const newest = await ask<{ data: MailTemplate[] }>('GET', list);
    if (!newest.isOk) return newest;
    const now = find(newest.data.data);
    if (now === undefined || etagOf(now) !== etag) return { isOk: false, refusal: changedMeanwhile };
    // The desk's own words follow its next versions.
    const isOwn = isSame(words, own);
    if (isOwn && !now.is_custom) return { isOk: true, status: 200, data: { data: now }, etag };
    const answer = await ask<{ data: MailTemplate } | null>(isOwn ? 'DELETE' : 'PUT', path, isOwn ? undefined : words);
    if (!answer.isOk) return answer;
    const after = answer.data?.data ?? { ...now, ...own, id: null, is_custom: false, updated_at: null };
    return { isOk: true, status: 200, data: { data: after }, etag: etagOf(after) };
  }

  const { name, when } = mailNames()[found.name];
  return (
    <>
      <SectionHead title={`${name} (${languageNames[found.locale]})`} lead={when} />
      <SectionForm<Words, MailTemplate>
        label={name}
        name={`mail-template.${site.id}.${id}`}
        found={{ data: found, etag: etagOf(found) }}
        valuesOf={wordsOf}
        names={{ subject: t.mailSubject, body: t.mailWords }}
        readOnly={can('manage') ? null : t.onlyManagersChange}
        put={put}
        reload={reload}
        said={(now) => (now.is_custom ? t.mailSaved(name) : t.mailReset(name))}
      >
        {(form) => <TemplateFields {...{ form, found, own, path }} />}
      </SectionForm>
      {found.id !== null && (
        <LastChange
          siteId={site.id}
          actions={['mail_template.created', 'mail_template.updated']}
          targetId={found.id}
          version={etagOf(found)}
        />
      )}
      <EqualCommand words={['helpdesk', 'template', 'show', found.name, found.locale, '--site', site.slug]} />
    </>
  );
}

const changedMeanwhile = {
  code: 'version_mismatch',
  status: 412,
  message: '',
  fields: {},
  requestId: null,
  retryAfterSeconds: null,
};

interface FieldsProps {
  form: Edited<Words>;
  found: MailTemplate;
  own: Words;
  path: string;
}

function TemplateFields({ form, found, own, path }: FieldsProps) {
  const mayChange = can('manage');
  const { subject, body } = form.values;
  const { shown, problems } = usePreview<ShownMail>(mayChange ? `${path}/preview` : null, {
    subject,
    // Without words there is nothing to preview; the field says so when it is saved.
    body: body.trim() === '' ? null : body,
  });
  const wrong = templateProblems(found.name, form.values);
  const problemOf = (name: keyof Words) => {
    const said = form.field(name).problem ?? problems.value[name];
    return said === undefined ? undefined : problemText(wrong[name]) || said;
  };

  async function test(): Promise<void> {
    const answer = await ask<{ data: { recipient: string; has_server: boolean } }>('POST', `${path}/test`, {});
    if (!answer.isOk) announceRefusal(answer.refusal);
    else if (answer.data.data.has_server) announce(t.testSent(answer.data.data.recipient));
    else announce(t.onlyWritten, 'problem');
  }
  return (
    <>
      <TextField
        label={t.mailSubject}
        hint={found.variables.includes('ticket.reference') ? t.mailSubjectHint : t.mailSubjectEmpty}
        maxLength={200}
        isProse
        {...form.field('subject')}
        problem={problemOf('subject')}
      />
      <WordsField
        label={t.mailWords}
        rows={10}
        maxLength={10_000}
        variables={found.variables}
        {...form.field('body')}
        problem={problemOf('body')}
      />
      <details class="own-words">
        <summary>{t.showWordsOfDesk}</summary>
        <p>
          <strong>{own.subject}</strong>
        </p>
        <pre>{own.body}</pre>
        {mayChange && (
          <Button isDisabled={isSame(own, form.values)} onClick={() => form.change(own)}>
            {t.useWordsOfDesk}
          </Button>
        )}
      </details>
      {mayChange && (
        <section class="mail-preview" aria-label={t.wordsPreview}>
          <h2>{t.wordsPreview}</h2>
          {shown.value !== null && (
            <>
              <p class="preview-subject">
                <bdi>{shown.value.subject}</bdi>
              </p>
              <RichHtml html={bodyIn(shown.value.html)} />
            </>
          )}
          {Object.keys(problems.value).length > 0 && <p class="soft">{t.previewOlder}</p>}
          <div class="section-actions">
            <Button isDisabled={form.isChanged} onClick={() => void test()}>
              {t.sendTest}
            </Button>
            <span class="soft">{form.isChanged ? t.testAfterSaving : t.testHint}</span>
          </div>
        </section>
      )}
    </>
  );
}

/** The desk answers a whole page. */
const bodyIn = (page: string) => /<body[^>]*>([\s\S]*)<\/body>/i.exec(page)?.[1] ?? page;

// What a site is called, and how it treats tickets, mail and files.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { isSlug } from '../../../../domain/sites/slug.ts';
import { mostFileMegabytes } from '../../../../domain/tickets/files.ts';
import type { Answer, Refusal } from '../../../shared/api.ts';
import { Button } from '../../../shared/button.tsx';
import { ChoiceField, SwitchField, TextArea, TextField } from '../../../shared/field.tsx';
import { count } from '../../../shared/format.ts';
import { languageNames } from '../../../shared/messages.ts';
import { Notice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { can } from '../../session.ts';
import type { Edited } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import type { SectionProps } from '../settings-route.ts';
import { t } from './messages.ts';
import { bodyOf, type SiteValues, updateCommand, usualRefused, valuesOf, type WholeSite } from './site-values.ts';

interface PartProps {
  found: Versioned<WholeSite>;
  reload: () => Promise<void>;
}

export function GeneralSection({ site }: SectionProps) {
  const live = useLiveData<WholeSite>(`/sites/${site.id}`);
  const found = live.shown.value;
  return (
    <>
      <SectionHead title={t.siteGeneral} lead={t.siteGeneralLead} />
      <Loading of={live} />
      {found !== null && (
        <>
          <SitePart found={found} reload={live.reload} />
          <TicketsPart found={found} reload={live.reload} />
          <MailPart found={found} reload={live.reload} />
          <FilesPart found={found} reload={live.reload} />
          <LastChange siteId={site.id} actions={['site.updated']} targetId={site.id} version={found.etag} />
          <EqualCommand words={['helpdesk', 'site', 'show', found.data.slug]} />
        </>
      )}
    </>
  );
}

interface SiteFormProps<Names extends keyof SiteValues> extends PartProps {
  title: string;
  lead?: string;
  /** Of all its fields, as people read them. */
  names: Readonly<Record<Names, string>>;
  check?: (values: Pick<SiteValues, Names>) => Record<string, string>;
  children: (form: Edited<Pick<SiteValues, Names>>) => ComponentChildren;
}

/** One part of the settings of a site. Each is saved by itself. */
function SiteForm<Names extends keyof SiteValues>(props: SiteFormProps<Names>) {
  const { title, lead, names, found, reload, children } = props;
  const fields = Object.keys(names) as Names[];
  const { id, slug } = found.data;
  const path = `/sites/${id}`;
  const seen = useRef(new Map<string, string>());
  const partOf = (site: WholeSite) => JSON.stringify(valuesOf(site, fields));
  seen.current.set(found.etag, partOf(found.data));

  /** A change of another part is not a conflict: this one is compared with what it was then. */
  async function put(values: Pick<SiteValues, Names>, etag: string): Promise<Answer<{ data: WholeSite }>> {
    const newest = await ask<{ data: WholeSite }>('GET', path);
    const isSame = newest.isOk && partOf(newest.data.data) === seen.current.get(etag);
    const known = isSame ? (newest.etag ?? '') : etag;
    const answer = await ask<{ data: WholeSite }>('PATCH', path, bodyOf(values), { 'If-Match': known });
    if (answer.isOk) seen.current.set(answer.etag ?? '', partOf(answer.data.data));
    return withSlug(answer);
  }
  return (
    <section class="site-part" aria-labelledby={`part-${fields[0]}`}>
      <h2 id={`part-${fields[0]}`}>{title}</h2>
      {lead !== undefined && <p class="soft">{lead}</p>}
      <SectionForm<Pick<SiteValues, Names>, WholeSite>
        label={title}
        name={`site.${id}.${fields[0]}`}
        {...{ found, reload, names }}
        {...(props.check === undefined ? {} : { check: props.check })}
        valuesOf={(site) => valuesOf(site, fields)}
        put={put}
        said={() => t.siteSaved(title)}
        problemsIn={problemsIn}
        fields={[...fields, ...fields.map((name) => `settings.${name}`)]}
        readOnly={can('manage') ? null : t.onlyManagersChange}
      >
        {(form) => (
          <>
            {children(form)}
            {form.isChanged && <EqualCommand words={updateCommand(slug, form.base.data, form.values)} />}
          </>
        )}
      </SectionForm>
    </section>
  );
}

/** A taken slug is what is wrong with that field. */
function withSlug(answer: Answer<{ data: WholeSite }>): Answer<{ data: WholeSite }> {
  if (answer.isOk || answer.refusal.code !== 'slug_taken') return answer;
  return { ...answer, refusal: { ...answer.refusal, fields: { slug: [t.slugTaken] } } };
}

const problemsIn = ({ fields }: Refusal) =>
  Object.fromEntries(
    Object.entries(fields).map(([path, said]) => {
      const name = path.replace(/^settings\./, '').replace(/\.\d+$/, '');
      const isOfTypes = path.startsWith('settings.') && name.endsWith('types');
      return [name, isOfTypes && /\.\d+$/.test(path) ? t.fileTypeWrong : said.join(' ')];
    }),
  );

function wholeNumber(text: string, least: number, most: number): boolean {
  const number = Number(text);
  return text.trim() !== '' && Number.isInteger(number) && number >= least && number <= most;
}

function SitePart({ found, reload }: PartProps) {
  const { slug, inbound_address: address } = found.data;
  return (
    <SiteForm
      title={t.theSite}
      names={{ name: t.name, slug: t.siteSlug, description: t.siteDescription, locale: t.siteLanguage }}
      check={(values) => ({
        ...(values.name.trim() === '' ? { name: t.required } : {}),
        ...(isSlug(values.slug) ? {} : { slug: t.slugRefused }),
      })}
      {...{ found, reload }}
    >
      {(form) => (
        <>
          <TextField label={t.name} hint={t.siteNameSeenHint} maxLength={255} isRequired {...form.field('name')} />
          <TextField
            label={t.siteSlug}
            hint={t.siteSlugHint}
            maxLength={64}
            isRequired
            isCode
            {...form.field('slug')}
          />
          {form.values.slug !== slug && isSlug(form.values.slug) && (
            <Notice kind="hint">
              <p>{t.slugBreaks}</p>
              <ul class="breaks">
                <li>{t.slugBreaksMail(address, address.replace(/^[^@]*/, form.values.slug))}</li>
                <li>{t.slugBreaksPages(`/s/${slug}`, `/s/${form.values.slug}`)}</li>
                <li>{t.slugBreaksScripts(slug)}</li>
              </ul>
            </Notice>
          )}
          <TextArea
            label={t.siteDescription}
            hint={t.siteDescriptionHint}
            rows={2}
            maxLength={2000}
            {...form.field('description')}
          />
          <ChoiceField
            label={t.siteLanguage}
            hint={t.siteLanguageHint}
            options={[
              { value: '', text: t.siteLanguageOfBrowser },
              ...Object.entries(languageNames).map(([value, text]) => ({ value, text })),
            ]}
            {...form.field('locale')}
          />
        </>
      )}
    </SiteForm>
  );
}

function TicketsPart({ found, reload }: PartProps) {
  return (
    <SiteForm
      title={t.ticketsPart}
      names={{ status_after_agent_reply: t.afterReply, auto_close_days: t.autoClose }}
      check={({ auto_close_days: days }) =>
        days.trim() === '' || wholeNumber(days, 1, mostDays)
          ? ({} as Record<string, string>)
          : { auto_close_days: t.numberRefused('1', count(mostDays)) }
      }
      {...{ found, reload }}
    >
      {(form) => (
        <>
          <ChoiceField
            label={t.afterReply}
            hint={t.afterReplyHint}
            options={[
              { value: '', text: t.afterReplyUnchanged },
              { value: 'pending', text: t.statusPending },
              { value: 'resolved', text: t.statusResolved },
              { value: 'open', text: t.statusOpen },
              { value: 'closed', text: t.statusClosed },
            ]}
            {...form.field('status_after_agent_reply')}
          />
          <TextField type="number" label={t.autoClose} hint={t.autoCloseHint} {...form.field('auto_close_days')} />
        </>
      )}
    </SiteForm>
  );
}

function MailPart({ found, reload }: PartProps) {
  return (
    <SiteForm
      title={t.mailPart}
      names={{
        ...{ acknowledge: t.acknowledge, notify_resolved: t.notifyResolved },
        ...{ ask_satisfaction: t.askSatisfaction, agent_mail: t.agentMail },
      }}
      {...{ found, reload }}
    >
      {(form) => (
        <>
          <SwitchField label={t.acknowledge} hint={t.acknowledgeHint} {...form.field('acknowledge')} />
          <SwitchField label={t.notifyResolved} hint={t.notifyResolvedHint} {...form.field('notify_resolved')} />
          <SwitchField label={t.askSatisfaction} hint={t.askSatisfactionHint} {...form.field('ask_satisfaction')} />
          <ChoiceField
            label={t.agentMail}
            hint={
              { note: t.agentMailNoteHint, reply: t.agentMailReplyHint, off: t.agentMailOffHint }[
                form.values.agent_mail
              ] ?? ''
            }
            options={[
              { value: 'note', text: t.agentMailNote },
              { value: 'reply', text: t.agentMailReply },
              { value: 'off', text: t.agentMailOff },
            ]}
            {...form.field('agent_mail')}
          />
        </>
      )}
    </SiteForm>
  );
}

function FilesPart({ found, reload }: PartProps) {
  return (
    <SiteForm
      title={t.filesPart}
      names={{
        attachment_max_mb: t.fileMost,
        mail_attachment_max_mb: t.mailFileMost,
        attachments_total_mb: t.filesTotal,
        attachment_types: t.fileTypes,
        refused_attachment_types: t.refusedTypes,
        attachment_scan: t.fileScan,
      }}
      check={(values) => ({
        ...Object.fromEntries(
          (['attachment_max_mb', 'mail_attachment_max_mb'] as const)
            .filter((name) => !wholeNumber(values[name], 1, mostFileMegabytes))
            .map((name) => [name, t.numberRefused('1', count(mostFileMegabytes))]),
        ),
        ...(values.attachments_total_mb.trim() === '' || wholeNumber(values.attachments_total_mb, 1, mostTotal)
          ? {}
          : { attachments_total_mb: t.numberRefused('1', count(mostTotal)) }),
      })}
      {...{ found, reload }}
    >
      {(form) => (
        <>
          <div class="field-row">
            <TextField type="number" label={t.fileMost} hint={t.fileMostHint} {...form.field('attachment_max_mb')} />
            <TextField
              type="number"
              label={t.mailFileMost}
              hint={t.mailFileMostHint}
              {...form.field('mail_attachment_max_mb')}
            />
          </div>
          <TextField
            type="number"
            label={t.filesTotal}
            hint={t.filesTotalHint}
            {...form.field('attachments_total_mb')}
          />
          <TextField label={t.fileTypes} hint={t.fileTypesHint} isCode {...form.field('attachment_types')} />
          <TextArea
            label={t.refusedTypes}
            hint={t.refusedTypesHint}
            rows={4}
            {...form.field('refused_attachment_types')}
          />
          {form.values.refused_attachment_types !== usualRefused && can('manage') && (
            <div>
              <Button kind="quiet" onClick={() => form.change({ refused_attachment_types: usualRefused })}>
                {t.usualRefusedTypes}
              </Button>
            </div>
          )}
          <ChoiceField
            label={t.fileScan}
            hint={t.fileScanHint}
            options={[
              { value: 'wait', text: t.fileScanWait },
              { value: 'deliver_with_mark', text: t.fileScanDeliver },
            ]}
            {...form.field('attachment_scan')}
          />
        </>
      )}
    </SiteForm>
  );
}

const mostDays = 3650;
const mostTotal = 100_000_000;

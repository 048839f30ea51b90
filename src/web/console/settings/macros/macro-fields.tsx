// The fields of a macro: its text with placeholders, what it changes on the ticket, and whose it is.

import { ticketStatuses } from '../../../../domain/tickets/ticket.ts';
import { ChoiceField, SwitchField, TextField } from '../../../shared/field.tsx';
import { Notice } from '../../../shared/notices.tsx';
import type { FormState } from '../../../shared/submission.ts';
import { type Site, visibleSites } from '../../session.ts';
import { WordsField } from '../writing/placeholders.tsx';
import { type MacroValues, statusText } from './macro-values.ts';
import { assigneeChoices, categoryChoices, doneBy, type Known, priorityChoices, teamChoices } from './macro-words.ts';
import { t } from './messages.ts';

interface FieldsProps {
  form: Pick<FormState<MacroValues>, 'values' | 'field' | 'change'>;
  /** Whose priorities, categories and agents are offered. */
  site: Site;
  known: Known;
  isNew: boolean;
  /** Whether to share it is decided by the agent who made it. */
  isOwn: boolean;
}

export function MacroFields(props: FieldsProps) {
  const { form, site, known, isNew, isOwn } = props;
  const { values } = form;
  const fields = known.fields ?? [];
  const done = doneBy(values, known);
  const siteName = { value: String(site.id), text: site.name };
  return (
    <>
      <TextField label={t.name} isRequired isFirst={isNew} maxLength={100} {...form.field('name')} />
      <WordsField
        label={t.macroText}
        hint={t.macroTextHint}
        rows={7}
        maxLength={10_000}
        variables={[
          ...['author.name', 'ticket.reference', 'agent.name', 'site.name'],
          ...fields.map(({ key }) => `field.${key}`),
        ]}
        meanings={{
          'author.name': t.macroMeansAuthor,
          'site.name': t.macroMeansSite,
          ...Object.fromEntries(fields.map(({ key, label }) => [`field.${key}`, t.macroMeansField(label)])),
        }}
        {...form.field('body')}
      />
      <SwitchField
        label={t.macroMarkdown}
        hint={t.macroMarkdownHint}
        value={values.body_format === 'markdown'}
        onValue={(isOn) => form.change({ body_format: isOn ? 'markdown' : 'text' })}
      />
      <Changes {...props} />
      {(visibleSites.value.length > 1 || values.site_id === '') && (
        <ChoiceField
          label={t.macroFor}
          hint={t.macroEverySiteHint}
          options={[siteName, { value: '', text: t.macroEverySite }]}
          {...form.field('site_id')}
        />
      )}
      {isOwn && <SwitchField label={t.macroShared} hint={t.macroSharedHint} {...form.field('is_shared')} />}
      <TextField
        label={t.macroPlace}
        type="number"
        hint={isNew ? t.macroPlaceNewHint : t.macroPlaceHint}
        {...form.field('position')}
      />
      {done.length > 0 && (
        <Notice kind="hint">
          <p>{t.macroDoes}</p>
          <ul class="breaks">
            {done.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

function Changes({ form, known }: FieldsProps) {
  const { values } = form;
  const isOfSite = values.site_id !== '';
  return (
    <>
      <div class="field-row">
        <ChoiceField
          label={t.macroStatus}
          options={[
            { value: '' as const, text: t.macroLeaves },
            ...ticketStatuses.map((value) => ({ value, text: statusText(value) })),
          ]}
          {...form.field('status')}
        />
        <ChoiceField
          label={t.macroAssignee}
          options={assigneeChoices(known, values.assigned_to)}
          {...form.field('assigned_to')}
        />
      </div>
      {((known.teams ?? []).length > 0 || values.team_id !== '') && (
        <ChoiceField label={t.macroTeam} options={teamChoices(known, values.team_id)} {...form.field('team_id')} />
      )}
      {isOfSite && (
        <div class="field-row">
          <ChoiceField
            label={t.macroPriority}
            options={priorityChoices(known, values.priority_id)}
            {...form.field('priority_id')}
          />
          <ChoiceField
            label={t.macroCategory}
            options={categoryChoices(known, values.category_id)}
            {...form.field('category_id')}
          />
        </div>
      )}
      <div class="field-row">
        <TextField label={t.macroAddTags} hint={t.macroTagsHint} {...form.field('add_tags')} />
        <TextField label={t.macroRemoveTags} hint={t.macroTagsHint} {...form.field('remove_tags')} />
      </div>
      <TextField label={t.macroSnooze} type="number" hint={t.macroSnoozeHint} {...form.field('snooze_hours')} />
    </>
  );
}

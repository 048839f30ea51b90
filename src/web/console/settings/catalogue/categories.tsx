// Categories and priorities, which customers and agents sort tickets by.

import { useId } from 'preact/hooks';
import { isSlug } from '../../../../domain/sites/slug.ts';
import { TextArea, TextField } from '../../../shared/field.tsx';
import { count } from '../../../shared/format.ts';
import type { Category, Priority } from '../../wire.ts';
import { t } from '../site/messages.ts';
import { durationText } from '../sla/durations.ts';
import { catalogueSection } from './catalogue-section.tsx';

interface ColorFieldProps {
  label: string;
  name: string;
  value: string;
  problem: string | undefined;
  onValue: (value: string) => void;
}

/** Chosen in the panel of the browser, or typed. */
function ColorField(props: ColorFieldProps) {
  const id = useId();
  const { label, value, onValue } = props;
  return (
    <div class="color-field">
      <TextField id={id} isCode maxLength={7} {...props} />
      <input
        type="color"
        aria-label={label}
        value={/^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : '#000000'}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  );
}

/** The swatch of tickets is in a file that is loaded with them. */
function Dot({ row: { color } }: { row: { color: string } }) {
  return (
    <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true" focusable="false">
      <circle cx="4" cy="4" r="4" fill={color} />
    </svg>
  );
}

const usualColor = '#64748b';

interface Named {
  name: string;
  slug: string;
}

/** An empty slug is made from the name. */
const checkNamed = ({ name, slug }: Named): Record<string, string> => ({
  ...(name.trim() === '' ? { name: t.required } : {}),
  ...(slug === '' || isSlug(slug) ? {} : { slug: t.slugRefused }),
});
const slugOf = ({ slug }: Named) => (slug === '' ? {} : { slug });

const checkColor = (color: string): Record<string, string> =>
  /^#[0-9a-f]{6}$/i.test(color) ? {} : { color: t.colorRefused };

export const CategoriesSection = catalogueSection<
  Category,
  { name: string; slug: string; description: string; color: string }
>({
  path: 'categories',
  command: 'category',
  audit: 'category',
  texts: () => ({
    title: t.categoriesTitle,
    lead: t.categoriesLead,
    add: t.addCategory,
    none: t.noCategories,
    noneText: t.noCategoriesText,
  }),
  nameOf: ({ name }) => name,
  empty: { name: '', slug: '', description: '', color: usualColor },
  valuesOf: ({ name, slug, description, color }) => ({ name, slug, description: description ?? '', color }),
  bodyOf: (values) => ({
    name: values.name.trim(),
    ...slugOf(values),
    description: values.description.trim(),
    color: values.color.toLowerCase(),
  }),
  names: () => ({ name: t.name, slug: t.siteSlug, description: t.siteDescription, color: t.colorLabel }),
  check: (values) => ({ ...checkNamed(values), ...checkColor(values.color) }),
  Fields: ({ form, isNew }) => (
    <>
      <TextField label={t.name} isRequired isFirst={isNew} maxLength={255} {...form.field('name')} />
      <TextArea
        label={t.siteDescription}
        hint={t.categoryDescriptionHint}
        rows={2}
        maxLength={2000}
        {...form.field('description')}
      />
      <div class="field-row">
        <ColorField label={t.colorLabel} {...form.field('color')} />
        <TextField label={t.siteSlug} hint={t.rowSlugHint} isCode maxLength={64} {...form.field('slug')} />
      </div>
    </>
  ),
  Mark: Dot,
  about: ({ description }) => description ?? '',
  ticketsOf: ({ id }) => `category_id=${id}`,
  removal: (_row, tickets) => ({
    text: tickets === null ? t.removeUnusedText : t.removeCategoryText(tickets),
    isRefused: false,
  }),
});

interface PriorityValues extends Named {
  color: string;
  level: string;
}

const isLevel = (text: string) => text === '' || (/^\d+$/.test(text) && Number(text) <= 1000);

export const PrioritiesSection = catalogueSection<Priority, PriorityValues>({
  path: 'priorities',
  command: 'priority',
  audit: 'priority',
  texts: () => ({
    title: t.prioritiesTitle,
    lead: t.prioritiesLead,
    add: t.addPriority,
    none: t.noPriorities,
    noneText: t.prioritiesLead,
  }),
  nameOf: ({ name }) => name,
  empty: { name: '', slug: '', color: usualColor, level: '' },
  valuesOf: ({ name, slug, color, level }) => ({ name, slug, color, level: String(level) }),
  bodyOf: (values) => ({
    name: values.name.trim(),
    ...slugOf(values),
    color: values.color.toLowerCase(),
    ...(values.level === '' ? {} : { level: Number(values.level) }),
  }),
  names: () => ({ name: t.name, slug: t.siteSlug, color: t.colorLabel, level: t.levelLabel }),
  check: (values) => ({
    ...checkNamed(values),
    ...checkColor(values.color),
    ...(isLevel(values.level) ? {} : { level: t.numberRefused('0', count(1000)) }),
  }),
  Fields: ({ form, isNew }) => (
    <>
      <TextField label={t.name} isRequired isFirst={isNew} maxLength={255} {...form.field('name')} />
      <TextField
        type="number"
        label={t.levelLabel}
        hint={isNew ? t.levelNewHint : t.levelHint}
        {...form.field('level')}
      />
      <div class="field-row">
        <ColorField label={t.colorLabel} {...form.field('color')} />
        <TextField label={t.siteSlug} hint={t.rowSlugHint} isCode maxLength={64} {...form.field('slug')} />
      </div>
    </>
  ),
  Mark: Dot,
  about: ({ level, first_response_minutes: first, resolution_minutes: whole }) =>
    [
      t.levelIs(count(level)),
      first === null ? t.noFirstTarget : t.firstTarget(durationText(first)),
      whole === null ? t.noResolutionTarget : t.resolutionTarget(durationText(whole)),
    ].join(' · '),
  ticketsOf: ({ id }) => `priority_id=${id}`,
  removal: (_row, tickets) => ({
    text: tickets === null ? t.removeUnusedText : t.priorityInUseText(tickets),
    isRefused: tickets !== null,
  }),
  isDefault: ({ is_default: isDefault }) => isDefault,
});

// Custom fields: what a site asks for besides subject and message.

import type { CustomFieldType } from '../../../../domain/tickets/custom-field.ts';
import { ChoiceField, SwitchField, TextArea, TextField } from '../../../shared/field.tsx';
import type { CustomField } from '../../wire.ts';
import { t } from '../site/messages.ts';
import { catalogueSection } from './catalogue-section.tsx';

interface FieldValues {
  key: string;
  label: string;
  description: string;
  type: CustomFieldType;
  /** One a line. */
  options: string;
  is_required: boolean;
  is_author_visible: boolean;
}

const typeTexts: Readonly<Record<CustomFieldType, () => string>> = {
  text: () => t.typeText,
  textarea: () => t.typeTextarea,
  number: () => t.typeNumber,
  boolean: () => t.typeBoolean,
  date: () => t.typeDate,
  url: () => t.typeUrl,
  email: () => t.typeEmail,
  select: () => t.typeSelect,
  multiselect: () => t.typeMultiselect,
};

const types = Object.keys(typeTexts) as CustomFieldType[];
const hasOptions = (type: CustomFieldType) => type === 'select' || type === 'multiselect';
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export const CustomFieldsSection = catalogueSection<CustomField, FieldValues>({
  path: 'custom-fields',
  command: 'field',
  audit: 'custom_field',
  texts: () => ({
    title: t.customFieldsTitle,
    lead: t.customFieldsLead,
    add: t.addCustomField,
    none: t.noCustomFields,
    noneText: t.noCustomFieldsText,
  }),
  nameOf: ({ label }) => label,
  empty: {
    ...{ key: '', label: '', description: '', type: 'text', options: '' },
    ...{ is_required: false, is_author_visible: true },
  },
  valuesOf: (field) => ({
    ...{ key: field.key, label: field.label, description: field.description ?? '', type: field.type },
    ...{
      options: field.options.join('\n'),
      is_required: field.is_required,
      is_author_visible: field.is_author_visible,
    },
  }),
  bodyOf: (values, isNew) => ({
    ...(isNew ? { key: values.key, type: values.type } : {}),
    label: values.label.trim(),
    description: values.description.trim(),
    ...(hasOptions(values.type) ? { options: linesOf(values.options) } : {}),
    is_required: values.is_required,
    is_author_visible: values.is_author_visible,
  }),
  names: () => ({
    ...{ label: t.fieldLabel, description: t.siteDescription, options: t.fieldOptions },
    ...{ is_required: t.fieldRequired, is_author_visible: t.fieldVisible },
  }),
  check: ({ key, label, type, options }) => {
    const lines = linesOf(options);
    return {
      ...(label.trim() === '' ? { label: t.required } : {}),
      ...(/^[a-z][a-z0-9_]{0,63}$/.test(key) ? {} : { key: t.fieldKeyRefused }),
      ...(hasOptions(type) && lines.length === 0 ? { options: t.required } : {}),
      ...(hasOptions(type) && new Set(lines).size < lines.length ? { options: t.optionTwice } : {}),
    };
  },
  Fields: ({ form, isNew }) => {
    const { type } = form.values;
    return (
      <>
        <TextField
          label={t.fieldLabel}
          hint={t.fieldLabelHint}
          isProse
          isRequired
          isFirst={isNew}
          maxLength={255}
          {...form.field('label')}
        />
        {isNew && (
          <>
            <ChoiceField
              label={t.fieldType}
              hint={t.fieldTypeHint}
              options={types.map((value) => ({ value, text: typeTexts[value]() }))}
              {...form.field('type')}
            />
            <TextField
              label={t.fieldKey}
              hint={t.fieldKeyHint}
              isCode
              isRequired
              maxLength={64}
              {...form.field('key')}
            />
          </>
        )}
        {hasOptions(type) && (
          <TextArea
            label={t.fieldOptions}
            hint={isNew ? t.fieldOptionsHint : t.fieldOptionsChangeHint}
            rows={5}
            {...form.field('options')}
          />
        )}
        <TextArea
          label={t.siteDescription}
          hint={t.fieldDescriptionHint}
          rows={2}
          maxLength={2000}
          {...form.field('description')}
        />
        <SwitchField label={t.fieldVisible} hint={t.fieldVisibleHint} {...form.field('is_author_visible')} />
        <SwitchField label={t.fieldRequired} hint={t.fieldRequiredHint} {...form.field('is_required')} />
      </>
    );
  },
  about: ({ key, type, is_required: isRequired, is_author_visible: isVisible }) =>
    [typeTexts[type](), key, ...(isRequired ? [t.fieldRequired] : []), ...(isVisible ? [] : [t.fieldOfAgents])].join(
      ' · ',
    ),
  removal: () => ({ text: t.removeFieldText, isRefused: false }),
});

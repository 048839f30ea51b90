// A site's own fields, each changed in place and by its type.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Combobox } from '../../shared/combobox.tsx';
import { Icon } from '../../shared/icons.tsx';
import { changeTicket } from '../tickets/change.ts';
import type { CustomField, TicketDetail } from '../wire.ts';
import { FieldInput } from './field-input.tsx';
import { enteredValue, listOf, shownValue } from './field-value.ts';
import { t } from './messages.ts';

interface FieldsProps {
  ticket: TicketDetail;
  fields: readonly CustomField[];
  isLocked: boolean;
}

export function CustomFields({ ticket, fields, isLocked }: FieldsProps) {
  return (
    <div class="properties">
      {fields.map((field) => (
        <Field
          key={`${ticket.ulid} ${field.key}`}
          ticket={ticket}
          field={field}
          isLocked={isLocked || !field.is_active}
        />
      ))}
    </div>
  );
}

function Field({ ticket, field, isLocked }: { ticket: TicketDetail; field: CustomField; isLocked: boolean }) {
  const id = useId();
  const problem = useSignal<string | null>(null);
  const value = ticket.custom_fields[field.key];

  async function save(wanted: unknown): Promise<void> {
    problem.value = null;
    const change = { custom_fields: { [field.key]: wanted } };
    const [result] = await changeTicket([ticket.ulid], change, { text: t.fieldNow(field.label) });
    const refused = result?.refusal?.fields[`custom_fields.${field.key}`];
    if (refused !== undefined) problem.value = refused.join(' ');
  }

  const problemId = problem.value === null ? undefined : `${id}-problem`;
  return (
    <div class="property">
      <label class="property-name" for={id} title={field.description || field.label}>
        {field.label}
        {field.is_required && <span aria-hidden="true"> *</span>}
      </label>
      <div class="property-value">
        <Control field={field} id={id} value={value} problemId={problemId} isLocked={isLocked} onSave={save} />
        {problem.value !== null && (
          <p class="field-problem" id={problemId} role="alert">
            <Icon name="alert" />
            <span>{problem.value}</span>
          </p>
        )}
      </div>
    </div>
  );
}

interface ControlProps {
  field: CustomField;
  id: string;
  value: unknown;
  problemId: string | undefined;
  isLocked: boolean;
  onSave: (value: unknown) => Promise<void>;
}

function Control({ field, id, value, problemId, isLocked, onSave }: ControlProps) {
  const options = field.options.map((text) => ({ value: text as string | null, text }));
  const hasSearch = field.options.length > 8;
  switch (field.type) {
    case 'select':
      return (
        <Combobox
          label={field.label}
          class="plain"
          search={hasSearch}
          isDisabled={isLocked}
          problemId={problemId}
          value={typeof value === 'string' ? value : null}
          options={[{ value: null, text: t.noValue }, ...options]}
          onChange={(chosen) => void onSave(chosen)}
        />
      );
    case 'multiselect':
      return (
        <Combobox
          label={field.label}
          class="plain"
          multiple
          search={hasSearch}
          isDisabled={isLocked}
          problemId={problemId}
          value={listOf(value)}
          options={field.options.map((text) => ({ value: text, text }))}
          onChange={(chosen) => void onSave(chosen.length === 0 ? null : chosen)}
        />
      );
    case 'boolean':
      return (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          disabled={isLocked}
          aria-describedby={problemId}
          onChange={(event) => void onSave(event.currentTarget.checked)}
        />
      );
    default:
      return (
        <FieldInput
          id={id}
          type={field.type}
          value={shownValue(value)}
          problemId={problemId}
          isLocked={isLocked}
          onSave={(typed) => void onSave(enteredValue(field.type, typed))}
        />
      );
  }
}

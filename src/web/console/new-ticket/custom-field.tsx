// A custom field of the site, by its type.

import { ChoiceField, FieldNotes, SwitchField, TextArea, TextField } from '../../shared/field.tsx';
import { t } from '../composer/messages.ts';
import { enteredValue, listOf, shownValue } from '../details/field-value.ts';
import type { CustomField } from '../wire.ts';

interface OwnFieldProps {
  field: CustomField;
  value: unknown;
  problem: string | undefined;
  onValue: (value: unknown) => void;
}

export function OwnField({ field, value, problem, onValue }: OwnFieldProps) {
  const { key, label, type, options } = field;
  const isRequired = field.is_required;
  const shared = { name: key, label, hint: field.description ?? undefined, problem, isRequired };
  switch (type) {
    case 'boolean':
      return <SwitchField label={label} hint={shared.hint} value={value === true} onValue={onValue} />;
    case 'select':
      return (
        <ChoiceField
          {...shared}
          value={shownValue(value)}
          options={[{ value: '', text: t.newTicketNone }, ...options.map((text) => ({ value: text, text }))]}
          onValue={(chosen) => onValue(chosen === '' ? null : chosen)}
        />
      );
    case 'multiselect': {
      const chosen = listOf(value);
      return (
        <fieldset class="field">
          <legend>{label}</legend>
          {options.map((option) => (
            <label key={option} class="own-option">
              <input
                type="checkbox"
                checked={chosen.includes(option)}
                onChange={({ currentTarget: { checked } }) => {
                  const left = chosen.filter((one) => one !== option);
                  onValue(checked ? [...left, option] : left.length === 0 ? null : left);
                }}
              />
              {option}
            </label>
          ))}
          <FieldNotes id={`own-${key}`} hint={shared.hint} problem={problem} />
        </fieldset>
      );
    }
    case 'textarea':
      return <TextArea {...shared} value={shownValue(value)} onValue={(typed) => onValue(enteredValue(type, typed))} />;
    default:
      return (
        <TextField
          {...shared}
          type={type === 'date' || type === 'email' || type === 'url' ? type : 'text'}
          value={shownValue(value)}
          // A number is read when it is sent: “4.” is one on its way.
          onValue={(typed) => onValue(type === 'number' ? typed : enteredValue(type, typed))}
        />
      );
  }
}

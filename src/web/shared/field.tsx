// Fields with their label, hint and error, tied together for screen readers.

import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { t } from './messages.ts';

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  problem?: string | undefined;
}

interface InputProps extends FieldProps {
  name: string;
  value: string;
  autocomplete: string;
  type?: 'text' | 'email';
  isRequired?: boolean;
  isFirst?: boolean;
  isCode?: boolean;
  onValue: (value: string) => void;
}

function useInput({ name, value, autocomplete, hint, problem, isRequired, isFirst, onValue }: InputProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isFirst || input.current === null) return;
    input.current.focus();
    // In a dialog that opens only now, the browser looks for this.
    input.current.autofocus = true;
  }, []);
  return {
    ref: input,
    id,
    name,
    value,
    autocomplete,
    required: isRequired === true,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': describedBy(id, hint, problem),
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => onValue(event.currentTarget.value),
  };
}

// Addresses, passwords and codes are not prose.
const asTyped = { autocapitalize: 'none', spellcheck: false } as const;

export function TextField(props: InputProps) {
  const { label, hint, problem, type = 'text', isCode = false, name } = props;
  const input = useInput(props);
  const shared = { ...input, ...(name === 'name' ? {} : asTyped), class: isCode ? 'code-text' : undefined };
  return (
    <div class="field">
      <label for={input.id}>{label}</label>
      {type === 'email' ? <input {...shared} type="email" /> : <input {...shared} type="text" />}
      <FieldNotes id={input.id} hint={hint} problem={problem} />
    </div>
  );
}

export function PasswordField(props: InputProps) {
  const { label, hint, problem } = props;
  const input = useInput(props);
  const isShown = useSignal(false);
  return (
    <div class="field">
      <label for={input.id}>{label}</label>
      <div class="with-action">
        {isShown.value ? (
          <input {...input} {...asTyped} type="text" />
        ) : (
          <input {...input} {...asTyped} type="password" />
        )}
        <button
          type="button"
          class="field-action"
          aria-pressed={isShown.value}
          aria-label={t.showPassword}
          title={t.showPassword}
          onClick={() => {
            isShown.value = !isShown.value;
          }}
        >
          <Icon name={isShown.value ? 'hidden' : 'eye'} />
        </button>
      </div>
      <FieldNotes id={input.id} hint={hint} problem={problem} />
    </div>
  );
}

interface TextAreaProps extends FieldProps {
  name: string;
  value: string;
  rows?: number;
  onValue: (value: string) => void;
}

export function TextArea({ label, hint, problem, name, value, rows = 4, onValue }: TextAreaProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        value={value}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={describedBy(id, hint, problem)}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <FieldNotes id={id} hint={hint} problem={problem} />
    </div>
  );
}

interface SwitchProps {
  label: string;
  hint?: ComponentChildren;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

export function SwitchField({ label, hint, isOn, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div class="field switch-field">
      <input
        id={id}
        type="checkbox"
        class="switch"
        checked={isOn}
        aria-describedby={describedBy(id, hint, undefined)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <FieldNotes id={id} hint={hint} problem={undefined} />
    </div>
  );
}

interface ChoiceProps<Value extends string> extends FieldProps {
  value: Value;
  options: readonly { value: Value; text: string }[];
  onValue: (value: Value) => void;
}

export function ChoiceField<Value extends string>({
  label,
  hint,
  problem,
  value,
  options,
  onValue,
}: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={describedBy(id, hint, problem)}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen !== undefined) onValue(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      <FieldNotes id={id} hint={hint} problem={problem} />
    </div>
  );
}

interface CodeProps {
  label: string;
  value: string;
  problem?: string | undefined;
  /** Called when all digits are there, typed, pasted or filled in by the system. */
  onComplete: () => void;
  onValue: (value: string) => void;
  length?: number;
}

const usualLength = 6;

/** One field for the six digits of an authenticator app: people paste into it and systems fill it in. */
export function CodeField({ label, value, problem, onComplete, onValue, length = usualLength }: CodeProps) {
  const input = useInput({
    label,
    name: 'code',
    value,
    autocomplete: 'one-time-code',
    problem,
    isRequired: true,
    isFirst: true,
    onValue(typed) {
      const digits = typed.replace(/\D/g, '').slice(0, length);
      if (input.ref.current !== null) input.ref.current.value = digits;
      onValue(digits);
      if (digits.length === length && value.length < length) onComplete();
    },
  });
  return (
    <div class="field">
      <label for={input.id}>{label}</label>
      <input {...input} {...asTyped} class="code" type="text" inputMode="numeric" />
      <FieldNotes id={input.id} hint={undefined} problem={problem} />
    </div>
  );
}

function describedBy(id: string, hint: unknown, problem: string | undefined): string | undefined {
  const ids = [problem === undefined ? '' : `${id}-problem`, hint === undefined ? '' : `${id}-hint`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

function FieldNotes({ id, hint, problem }: { id: string; hint: ComponentChildren; problem: string | undefined }) {
  return (
    <>
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`}>
          <Icon name="alert" />
          <span>{problem}</span>
        </p>
      )}
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

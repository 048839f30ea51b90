// Fields with their label, hint and error, tied together for screen readers.

import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { t } from './messages.ts';

interface FieldProps {
  /** By default one of its own. */
  id?: string;
  label: string;
  /** After the label, in brackets. */
  aside?: string | undefined;
  hint?: ComponentChildren;
  problem?: string | undefined;
}

interface InputProps extends FieldProps {
  name: string;
  value: string;
  autocomplete?: string;
  type?: 'text' | 'email' | 'number' | 'date' | 'time' | 'url';
  maxLength?: number;
  isRequired?: boolean;
  isFirst?: boolean;
  isCode?: boolean;
  /** Sentences or a name: browsers may correct them. */
  isProse?: boolean;
  onValue: (value: string) => void;
}

function useInput(props: InputProps) {
  const { name, value, autocomplete = 'off', maxLength, hint, problem, isRequired, isFirst, onValue } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
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
    maxLength,
    required: isRequired === true,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': describedBy(id, hint, problem),
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => onValue(event.currentTarget.value),
  };
}

// Addresses, passwords and codes are not prose.
const asTyped = { autocapitalize: 'none', spellcheck: false } as const;

export function TextField(props: InputProps) {
  const { hint, problem, type = 'text', isCode = false, isProse = false, name } = props;
  const input = useInput(props);
  const how = name === 'name' || isProse ? {} : asTyped;
  return (
    <div class="field">
      <Label {...props} id={input.id} />
      <input
        {...input}
        {...how}
        class={isCode ? 'code-text' : undefined}
        // Preact types each kind of input separately.
        type={type as 'text'}
        step={type === 'number' ? 'any' : undefined}
      />
      <FieldNotes id={input.id} hint={hint} problem={problem} />
    </div>
  );
}

function Label({ id, label, aside }: Pick<FieldProps, 'id' | 'label' | 'aside'>) {
  return (
    <label for={id}>
      {label}
      <Aside text={aside} />
    </label>
  );
}

export function Aside({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <>
      {' '}
      <span class="soft">({text})</span>
    </>
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
  maxLength?: number;
  isRequired?: boolean;
  onValue: (value: string) => void;
}

export function TextArea(props: TextAreaProps) {
  const { hint, problem, name, value, rows = 4, maxLength, isRequired = false, onValue } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  return (
    <div class="field">
      <Label {...props} id={id} />
      <textarea
        id={id}
        name={name}
        rows={rows}
        maxLength={maxLength}
        dir="auto"
        required={isRequired}
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
  value: boolean;
  onValue: (isOn: boolean) => void;
}

export function SwitchField({ label, hint, value, onValue }: SwitchProps) {
  const id = useId();
  return (
    <div class="field switch-field">
      <input
        id={id}
        type="checkbox"
        class="switch"
        checked={value}
        aria-describedby={describedBy(id, hint, undefined)}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <FieldNotes id={id} hint={hint} problem={undefined} />
    </div>
  );
}

interface ChoiceProps<Value extends string> extends FieldProps {
  name?: string;
  isRequired?: boolean;
  value: Value;
  options: readonly { value: Value; text: string }[];
  onValue: (value: Value) => void;
}

export function ChoiceField<Value extends string>(props: ChoiceProps<Value>) {
  const { hint, problem, name, value, isRequired = false, options, onValue } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  return (
    <div class="field">
      <Label {...props} id={id} />
      <select
        id={id}
        name={name}
        value={value}
        required={isRequired}
        aria-invalid={problem !== undefined || undefined}
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

export function describedBy(id: string, hint: unknown, problem: string | undefined): string | undefined {
  const ids = [problem === undefined ? '' : `${id}-problem`, hint === undefined ? '' : `${id}-hint`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

/** The desk begins with the name that the field has in its API, which no one sees here. */
export const besideLabel = (problem: string) =>
  problem.replace(/The [\w ]+ field (\w)/g, (_, first: string) => first.toUpperCase());

export function FieldNotes({
  id,
  hint,
  problem,
}: {
  id: string;
  hint: ComponentChildren;
  problem: string | undefined;
}) {
  return (
    <>
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`}>
          <Icon name="alert" />
          <span>{besideLabel(problem)}</span>
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

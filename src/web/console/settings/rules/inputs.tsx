// The inputs of a row of a rule. What each is for, its label says to screen readers: on the screen the row is a sentence.

import { Combobox } from '../../../shared/combobox.tsx';
import { t } from './messages.ts';
import type { Choice } from './names.ts';

export interface InputProps {
  value: string;
  put: (value: string) => void;
  label: string;
  isWrong: boolean;
  /** The id of what says why. */
  described: string | undefined;
  placeholder?: string | undefined;
}

const marks = ({ label, isWrong, described }: InputProps) => ({
  ...{ 'aria-label': label, 'aria-invalid': isWrong || undefined, 'aria-describedby': described },
});

export function Line({ isCode = false, ...props }: InputProps & { isCode?: boolean }) {
  return (
    <input
      type="text"
      class={isCode ? 'code-text' : undefined}
      dir="auto"
      autocapitalize="none"
      spellcheck={false}
      value={props.value}
      placeholder={props.placeholder}
      {...marks(props)}
      onInput={({ currentTarget }) => props.put(currentTarget.value)}
    />
  );
}

export function Lines({ isCode = false, ...props }: InputProps & { isCode?: boolean }) {
  return (
    <textarea
      rows={3}
      class={isCode ? 'code-text' : undefined}
      dir="auto"
      value={props.value}
      placeholder={props.placeholder}
      {...marks(props)}
      onInput={({ currentTarget }) => props.put(currentTarget.value)}
    />
  );
}

export function Pick({ options, ...props }: InputProps & { options: readonly Choice[] }) {
  const { value, put } = props;
  const isKnown = options.some((one) => one.value === value);
  return (
    <select {...{ value, ...marks(props) }} onChange={({ currentTarget }) => put(currentTarget.value)}>
      {!isKnown && <option value={value}>{value === '' ? t.ruleChoose : t.ruleGone(value)}</option>}
      {options.map((one) => (
        <option key={one.value} value={one.value}>
          {one.text}
        </option>
      ))}
    </select>
  );
}

interface SeveralProps extends InputProps {
  options: readonly Choice[];
  separator: string;
  /** Takes what is typed, too. */
  isOpen?: boolean;
}

/** With more than these, one searches. */
const findAbove = 8;

/** Some of them, in one text. */
export function Several({ options, separator, isOpen = false, ...props }: SeveralProps) {
  const chosen = props.value.split(separator).filter(Boolean);
  const put = (values: readonly string[]) => props.put(values.join(separator));
  const others = chosen.filter((one) => !options.some(({ value }) => value === one));
  const all = [...options, ...others.map((value) => ({ value, text: isOpen ? value : t.ruleGone(value) }))];
  return (
    <Combobox
      multiple
      label={props.label}
      class="as-select"
      search={isOpen || options.length > findAbove}
      problemId={props.isWrong ? (props.described ?? '') : undefined}
      value={chosen}
      options={all}
      onChange={put}
      {...(isOpen ? { onCreate: (typed: string) => put([...chosen, typed.trim()]) } : {})}
    >
      {chosen.length === 0 ? (
        <span class="soft">{props.placeholder ?? t.ruleChoose}</span>
      ) : (
        <span class="rule-several">{chosen.map((one) => all.find(({ value }) => value === one)?.text).join(', ')}</span>
      )}
    </Combobox>
  );
}

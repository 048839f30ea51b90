// A colour: chosen from the browser's own panel, or typed.

import { useId } from 'preact/hooks';
import { TextField } from '../../../shared/field.tsx';

interface ColorFieldProps {
  label: string;
  name: string;
  value: string;
  problem: string | undefined;
  onValue: (value: string) => void;
}

export function ColorField(props: ColorFieldProps) {
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

// A typed value that is saved when the field is left or with Enter, and taken back with Escape.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../shared/icons.tsx';
import type { FieldType } from './field-value.ts';
import { t } from './messages.ts';

interface FieldInputProps {
  id: string;
  type: FieldType;
  value: string;
  problemId: string | undefined;
  isLocked: boolean;
  onSave: (typed: string) => void;
}

export function FieldInput({ id, type, value, problemId, isLocked, onSave }: FieldInputProps) {
  const typed = useSignal(value);
  const saved = useRef(value);
  useEffect(() => {
    // A change from elsewhere; what is being typed stays.
    if (typed.peek() === saved.current) typed.value = value;
    saved.current = value;
  }, [value]);

  function save(): void {
    if (typed.value === saved.current) return;
    saved.current = typed.value;
    onSave(typed.value);
  }

  const shared = {
    id,
    class: 'plain-input',
    value: typed.value,
    placeholder: type === 'date' ? undefined : t.noValue,
    readOnly: isLocked,
    dir: 'auto' as const,
    'aria-invalid': problemId !== undefined || undefined,
    'aria-describedby': problemId,
    onInput(event: { currentTarget: { value: string } }) {
      typed.value = event.currentTarget.value;
    },
    onBlur: save,
    onKeyDown(event: KeyboardEvent) {
      const isSave = event.key === 'Enter' && (type !== 'textarea' || event.ctrlKey || event.metaKey);
      if (event.key === 'Escape') typed.value = saved.current;
      if (!isSave && event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      save();
    },
  };
  if (type === 'textarea') return <textarea {...shared} rows={2} maxLength={10_000} />;
  const kinds = { date: 'date', email: 'email', url: 'url' } as const;
  // The types of Preact want each kind of input on its own.
  const kind = (type in kinds ? kinds[type as keyof typeof kinds] : 'text') as 'text';
  const isLink = type === 'url' && /^https?:\/\//.test(value);
  return (
    <div class="field-input">
      <input {...shared} type={kind} inputMode={type === 'number' ? 'decimal' : undefined} />
      {isLink && (
        <a class="icon-button" href={value} target="_blank" rel="noreferrer" aria-label={t.openLink} title={t.openLink}>
          <Icon name="out" />
        </a>
      )}
    </div>
  );
}

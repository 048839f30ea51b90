// What someone else has saved meanwhile in fields that are changed here too: both values, and a choice.

import { Button } from '../../shared/button.tsx';
import { Notice } from '../../shared/notices.tsx';
import type { Edited } from './edited.ts';
import { t } from './messages.ts';

interface UnsavedProps<Values extends object> {
  form: Edited<Values>;
  /** What the fields are called. */
  names: Readonly<Partial<Record<keyof Values, string>>>;
  /** A value in words. Null: as it is. */
  shown?: ((name: keyof Values & string, values: Values) => string | null) | undefined;
}

const shownValue = (value: unknown) => (value === true ? t.valueYes : value === false ? t.valueNo : String(value));

export function Unsaved<Values extends object>({ form, names, shown }: UnsavedProps<Values>) {
  const said = (name: keyof Values & string, values: Values) => shown?.(name, values) ?? shownValue(values[name]);
  const both = (Object.keys(form.theirs) as (keyof Values & string)[]).filter(
    (name) => form.values[name] !== form.theirs[name],
  );
  return (
    <div role="alert">
      {both.length > 0 && (
        <Notice kind="problem">
          <p>{t.changedByOther}</p>
          <ul class="both-values">
            {both.map((name) => (
              <li key={name}>
                <span>
                  {t.theirValue(
                    names[name] ?? name,
                    said(name, { ...form.values, ...form.theirs }),
                    said(name, form.values),
                  )}
                </span>
                <Button
                  kind="quiet"
                  label={t.useTheirValue(names[name] ?? name)}
                  onClick={() => form.change({ [name]: form.theirs[name] } as Partial<Values>)}
                >
                  {t.useTheirs}
                </Button>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

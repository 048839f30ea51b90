// What customers fill in and choose in the form: the categories, the fields they see, and the language; each with the screen where it is set.

import type { Locale } from '../../../../domain/people/preferences.ts';
import { languageNames } from '../../../shared/messages.ts';
import { Link } from '../../route.ts';
import { useFetched } from '../../shell/fetched.ts';
import { Refused } from '../../shell/refused.tsx';
import type { Category, CustomField } from '../../wire.ts';
import { Skeleton } from '../loading.tsx';
import { t } from '../messages.ts';
import { type SectionProps, settingsPath } from '../settings-route.ts';

export function Choices({ site, locale }: Pick<SectionProps, 'site'> & { locale: Locale | null }) {
  const categories = useFetched<{ data: Category[] }>(`/sites/${site.id}/categories`);
  const fields = useFetched<{ data: CustomField[] }>(`/sites/${site.id}/custom-fields`);
  const found = [categories.data.value, fields.data.value] as const;
  const refusal = categories.refusal.value ?? fields.refusal.value;
  const seen = found[1]?.data.filter((field) => field.is_active && field.is_author_visible) ?? [];
  const rows = [
    {
      id: 'categories',
      title: t.formCategories,
      names: (found[0]?.data ?? []).filter((category) => category.is_active).map(({ name }) => name),
    },
    {
      id: 'custom-fields',
      title: t.formFields,
      names: seen.map(({ label, is_required: isRequired }) => (isRequired ? t.formNeeded(label) : label)),
    },
    { id: 'general', title: t.formLanguage, names: [locale === null ? t.formAnyLanguage : languageNames[locale]] },
  ];
  return (
    <section class="panel form-choices" aria-labelledby="form-choices">
      <h2 id="form-choices">{t.formChoices}</h2>
      <p class="soft">{t.formChoicesLead}</p>
      {refusal !== null && (
        <Refused
          refusal={refusal}
          onRetry={() => {
            categories.reload();
            fields.reload();
          }}
        />
      )}
      {refusal === null && found.includes(null) && <Skeleton />}
      {!found.includes(null) && (
        <dl>
          {rows.map(({ id, title, names }) => (
            <div key={id}>
              <dt>{title}</dt>
              <dd>
                {names.length === 0 ? <span class="soft">{t.formNone}</span> : names.join(', ')}{' '}
                <Link href={settingsPath(id, undefined, site)}>{t.formChange(title)}</Link>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

// The values of a site's form: as typed, with their problems, and as the desk takes them.

import { isAddressLike } from './address.ts';
import { t } from './messages.ts';
import type { FormValues, PageContent, ShownField, ShownPortal } from './page-content.ts';

const ownPrefix = 'custom_fields.';

export const ownName = ({ key }: ShownField) => ownPrefix + key;

interface FieldKind {
  name: string;
  type: ShownField['type'];
  isRequired: boolean;
}

/** In the order of the form. */
function fieldsOf({ custom_fields: own }: ShownPortal): FieldKind[] {
  return [
    { name: 'email', type: 'email', isRequired: true },
    { name: 'name', type: 'text', isRequired: false },
    { name: 'category_id', type: 'select', isRequired: false },
    { name: 'subject', type: 'text', isRequired: true },
    { name: 'message', type: 'textarea', isRequired: true },
    ...own.map((field) => ({ name: ownName(field), type: field.type, isRequired: field.is_required })),
  ];
}

const isEmpty = (value: string | string[] | undefined) =>
  typeof value === 'string' ? value.trim() === '' : value === undefined || value.length === 0;

/** What the form has now for each name of `values`. */
export function valuesIn(form: HTMLFormElement, values: FormValues): FormValues {
  const typed = new FormData(form);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? typed.getAll(name).map(String) : String(typed.get(name) ?? ''),
    ]),
  );
}

/** With what someone typed before the script came, or the browser kept from the last time. */
export function typedInto(shown: PageContent): PageContent {
  const form = document.querySelector<HTMLFormElement>('#form');
  return shown.page === 'form' && form !== null ? { ...shown, values: valuesIn(form, shown.values) } : shown;
}

/** As `POST /customer/tickets` takes it, without what is empty. */
export function bodyOf(site: ShownPortal, values: FormValues): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  for (const { name, type } of [...fieldsOf(site), { name: 'website', type: 'text' }]) {
    const value = values[name];
    const into = name.startsWith(ownPrefix) ? own : body;
    const key = into === own ? name.slice(ownPrefix.length) : name;
    if (type === 'boolean') into[key] = value !== '';
    else if (!isEmpty(value)) into[key] = type === 'number' || name === 'category_id' ? Number(value) : value;
  }
  return Object.keys(own).length === 0 ? body : { ...body, custom_fields: own };
}

/** @param form where the browser knows what it could not read */
export function problemsOf(site: ShownPortal, values: FormValues, form: HTMLFormElement): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const kind of fieldsOf(site)) {
    const { name, isRequired } = kind;
    const value = values[name];
    const control = form.elements.namedItem(name);
    const validity = control instanceof HTMLInputElement ? control.validity : null;
    const isUnread = validity?.badInput === true;
    const isUnlike = validity?.typeMismatch === true || (name === 'email' && !isAddressLike(String(value)));
    if (isEmpty(value) && !isUnread) {
      if (isRequired) problems[name] = t.required;
    } else if (isUnread || isUnlike) problems[name] = kindProblem(kind) ?? t.required;
  }
  return problems;
}

/** What a field of this kind takes. */
function kindProblem({ name, type }: FieldKind): string | null {
  switch (type) {
    case 'email':
      return t.emailRefused;
    case 'number':
      return t.numberRefused;
    case 'url':
      return t.urlRefused;
    case 'date':
      return t.dateRefused;
    default:
      return name === 'subject' ? t.subjectRefused : null;
  }
}

/** @param fields the desk's refusals. @returns our words where we have them, and the desk's otherwise */
export function refusedFields(site: ShownPortal, fields: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(
    fieldsOf(site).flatMap((kind) => {
      const sentences = fields[kind.name];
      if (sentences === undefined) return [];
      const isMissing = sentences.some((sentence) => sentence.includes('required'));
      return [[kind.name, isMissing ? t.required : (kindProblem(kind) ?? sentences.join(' '))]];
    }),
  );
}

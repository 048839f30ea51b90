// The fields that the desk has written into the form: what is in them, and what is wrong with it.

import { isAddressLike } from './address.ts';
import { t } from './messages.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const ownPrefix = 'custom_fields.';

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.querySelectorAll<Control>('input[name], textarea[name], select[name]')];
}

/** As `POST /customer/tickets` takes it, without what is empty. */
export function bodyOf(form: HTMLFormElement): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  for (const control of controlsOf(form)) {
    const { name } = control;
    if (name.startsWith(ownPrefix)) addOwn(own, name.slice(ownPrefix.length), control);
    else if (control.value.trim() !== '') body[name] = name === 'category_id' ? Number(control.value) : control.value;
  }
  return Object.keys(own).length === 0 ? body : { ...body, custom_fields: own };
}

function addOwn(own: Record<string, unknown>, key: string, control: Control): void {
  const { value } = control;
  switch (control.dataset.type) {
    case 'boolean':
      own[key] = (control as HTMLInputElement).checked;
      break;
    case 'multiselect': {
      const chosen = own[key] as string[] | undefined;
      if ((control as HTMLInputElement).checked) own[key] = [...(chosen ?? []), value];
      break;
    }
    case 'number':
      if (value.trim() !== '') own[key] = Number(value);
      break;
    default:
      if (value.trim() !== '') own[key] = value;
  }
}

export function problemsOf(form: HTMLFormElement): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const control of controlsOf(form)) {
    const problem = problemOf(control);
    if (problem !== null) problems[control.name] = problem;
  }
  for (const group of form.querySelectorAll<HTMLElement>('[data-required]'))
    if (group.querySelector(':checked') === null) problems[group.dataset.field ?? ''] = t.required;
  return problems;
}

function problemOf(control: Control): string | null {
  const { name, required, value, validity } = control;
  if (validity.badInput) return kindProblem(control) ?? t.required;
  if (value.trim() === '') return required ? t.required : null;
  if (name === 'email' && !isAddressLike(value)) return t.emailRefused;
  if (validity.typeMismatch) return kindProblem(control);
  return null;
}

/** What a field of this kind takes. */
function kindProblem({ name, dataset }: Control): string | null {
  switch (name === 'email' ? 'email' : dataset.type) {
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
export function refusedFields(form: HTMLFormElement, fields: Record<string, string[]>): Record<string, string> {
  const controls = new Map(controlsOf(form).map((control) => [control.name, control]));
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => form.querySelector(`[data-field="${CSS.escape(name)}"]`) !== null)
      .map(([name, sentences]) => {
        const control = controls.get(name);
        const isMissing = sentences.some((sentence) => sentence.includes('required'));
        return [name, isMissing ? t.required : ((control && kindProblem(control)) ?? sentences.join(' '))];
      }),
  );
}

/** What is being changed is no longer wrong. */
export function forgetProblem(field: HTMLElement): void {
  const place = field.querySelector<HTMLElement>('.field-problem');
  if (place !== null) place.hidden = true;
  for (const control of field.querySelectorAll<Control>('input, textarea, select')) control.ariaInvalid = null;
}

/** Shows each problem at its field, and puts the focus on the first. */
export function showProblems(form: HTMLFormElement, problems: Record<string, string>): void {
  let first: HTMLElement | null = null;
  for (const field of form.querySelectorAll<HTMLElement>('[data-field]')) {
    const name = field.dataset.field ?? '';
    const problem = problems[name];
    const place = field.querySelector<HTMLElement>('.field-problem');
    if (place === null) continue;
    place.hidden = problem === undefined;
    place.textContent = problem ?? '';
    for (const control of field.querySelectorAll<Control>('input, textarea, select')) {
      const hint = field.querySelector('.field-hint')?.id ?? '';
      control.ariaInvalid = problem === undefined ? null : 'true';
      control.setAttribute('aria-describedby', problem === undefined ? hint : `${place.id} ${hint}`.trim());
      if (problem !== undefined) first ??= control;
    }
  }
  first?.focus();
}

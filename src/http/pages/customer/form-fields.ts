// The fields of a form, each with its label, its hint and a place for what is wrong with it.

import { html, raw } from 'hono/html';
import { type Html, nothing } from './parts.ts';
import type { ShownField } from './shown.ts';
import type { Reader } from './texts.ts';

interface Written {
  id: string;
  label: string;
  /** After the label, in brackets. */
  aside?: string | undefined;
  hint?: string;
}

export function field({ id, label, aside, hint = '' }: Written, control: Html): Html {
  return html`<div class="field" data-field="${id}"><label for="${id}">${label}${inBrackets(aside)}</label>${control}${below(id, hint)}</div>`;
}

function inBrackets(aside: string | undefined): Html {
  return aside === undefined ? nothing : html` <span class="soft">(${aside})</span>`;
}

function below(id: string, hint: string): Html {
  return html`<p class="field-problem" id="${id}-problem" hidden></p>${hint === '' ? nothing : html`<p class="field-hint" id="${id}-hint">${hint}</p>`}`;
}

export const selected = (isSelected: boolean) => (isSelected ? raw(' selected') : nothing);
const checked = (isChecked: boolean) => (isChecked ? raw(' checked') : nothing);

/** A custom field of the site, by its type. */
export function ownField(own: ShownField, { text }: Reader, given: string): Html {
  const { key, label, description: hint, type, is_required: isRequired } = own;
  const id = `custom_fields.${key}`;
  const aside = isRequired ? undefined : text.optional;
  if (type === 'boolean') {
    const isOn = ['true', '1', 'yes'].includes(given);
    return html`<div class="field check" data-field="${id}"><input ${naming(own, id)} type="checkbox"${checked(isOn)}><label for="${id}">${label}</label>${below(id, hint)}</div>`;
  }
  if (type === 'multiselect') return severalOf(own, id, aside, given);
  return field({ id, label, aside, hint }, control(own, id, given, text.chooseOne));
}

function severalOf(
  { label, description, options, is_required: isRequired }: ShownField,
  id: string,
  aside: string | undefined,
  given: string,
): Html {
  const chosen = given.split(',').map((part) => part.trim());
  const boxes = options.map(
    (option, at) =>
      html`<span class="option"><input id="${id}.${at}" name="${id}" type="checkbox" value="${option}" data-type="multiselect"${checked(chosen.includes(option))}><label for="${id}.${at}">${option}</label></span>`,
  );
  return html`<fieldset class="field" data-field="${id}"${isRequired ? raw(' data-required') : nothing}><legend>${label}${inBrackets(aside)}</legend><div class="options">${boxes}</div>${below(id, description)}</fieldset>`;
}

function naming({ type, description }: ShownField, id: string): Html {
  const hint = description === '' ? nothing : html` aria-describedby="${id}-hint"`;
  return html`id="${id}" name="${id}" data-type="${type}"${hint}`;
}

const inputTypes: Partial<Record<ShownField['type'], string>> = {
  number: 'number',
  date: 'date',
  url: 'url',
  email: 'email',
};

function control(own: ShownField, id: string, given: string, choose: string): Html {
  const { type, options } = own;
  const shared = html`${naming(own, id)}${own.is_required ? raw(' required') : nothing}`;
  if (type === 'textarea') {
    // A browser drops the first line break.
    return html`<textarea ${shared} rows="4" maxlength="10000" dir="auto">${`\n${given}`}</textarea>`;
  }
  if (type === 'select') {
    const choices = options.map(
      (option) => html`<option value="${option}"${selected(option === given)}>${option}</option>`,
    );
    return html`<select ${shared}><option value="">${choose}</option>${choices}</select>`;
  }
  const extra = type === 'number' ? raw(' step="any"') : type === 'text' ? raw(' maxlength="255"') : nothing;
  return html`<input ${shared} type="${inputTypes[type] ?? 'text'}" autocomplete="off"${extra} value="${given}">`;
}

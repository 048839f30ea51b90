// Macros: what they change, and the variables in their text (docs/spec/console.md#macros).

import type { TicketStatus } from './ticket.ts';

export const macroFormats = ['text', 'markdown'] as const;
export type MacroFormat = (typeof macroFormats)[number];

/** In the wire's names, as they are stored. */
export interface MacroChanges {
  status?: TicketStatus | undefined;
  priority_id?: number | undefined;
  category_id?: number | null | undefined;
  assigned_to?: number | 'me' | null | undefined;
  add_tags?: string[] | undefined;
  remove_tags?: string[] | undefined;
  snooze_hours?: number | undefined;
}

const variable = /\{\{([^{}\n]{0,200})\}\}/g;
const plainVariables = ['author.name', 'ticket.reference', 'agent.name', 'site.name'] as const;
const fieldVariable = /^field\.(.+)$/;

export type MacroVariable = (typeof plainVariables)[number] | `field.${string}`;

const isPlain = (name: string): name is (typeof plainVariables)[number] =>
  (plainVariables as readonly string[]).includes(name);

/** @param fields keys of the custom fields that it may name */
export function unknownVariables(body: string, fields: ReadonlySet<string>): string[] {
  const names = [...body.matchAll(variable)].map(([, inner = '']) => inner.trim());
  const isKnown = (name: string) => isPlain(name) || fields.has(fieldVariable.exec(name)?.[1] ?? '');
  return [...new Set(names.filter((name) => !isKnown(name)))];
}

/** Values are put in once: what looks like a variable in a value stays as it is. */
export function fillIn(body: string, format: MacroFormat, filled: (name: MacroVariable) => string): string {
  return body.replace(variable, (_whole, inner: string) => {
    const value = filled(inner.trim() as MacroVariable);
    return format === 'markdown' ? plainInMarkdown(value) : value;
  });
}

// What begins a heading, a list or a rule at the start of a line.
const lineStart = /^(?:([#+=-])(?=[#+=\s-]|$)|(\d{1,9})(?=[.)]))/;

/** Text that Markdown shows as it is: a name must not become a link, an image or a heading. */
function plainInMarkdown(value: string): string {
  return value
    .split('\n')
    .map((text) =>
      text
        .trim()
        .replace(/[\\`*_[\]<>&|~!]/g, '\\$&')
        .replace(/:(?=\/\/)/g, '\\:')
        .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}\\.`)
        .replace(lineStart, (_whole, mark?: string, digits?: string) =>
          digits === undefined ? `\\${mark}` : `${digits}\\`,
        ),
    )
    .join('\n');
}

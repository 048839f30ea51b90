// Macros: the variables in their text (docs/spec/console.md#macros).

import { variablesIn } from '../variables.ts';

export const macroFormats = ['text', 'markdown'] as const;
export type MacroFormat = (typeof macroFormats)[number];

const plainVariables = ['author.name', 'ticket.reference', 'agent.name', 'site.name'] as const;
const fieldVariable = /^field\.(.+)$/;

export type MacroVariable = (typeof plainVariables)[number] | `field.${string}`;

const isPlain = (name: string): name is (typeof plainVariables)[number] =>
  (plainVariables as readonly string[]).includes(name);

/** @param fields keys of the custom fields that it may name */
export function unknownVariables(body: string, fields: ReadonlySet<string>): string[] {
  return variablesIn(body).filter((name) => !isPlain(name) && !fields.has(fieldVariable.exec(name)?.[1] ?? ''));
}

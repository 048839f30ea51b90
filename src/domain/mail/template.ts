// The desk's own mails to customers whose words a site can change (docs/spec/templates.md).

import type { FieldErrors } from '../errors.ts';
import { unknownInWords, variablesIn } from '../variables.ts';

export const templateNames = ['acknowledgement', 'resolved', 'satisfaction', 'receipt', 'new_link', 'code'] as const;
export type TemplateName = (typeof templateNames)[number];

const templatesOfMails: Readonly<Record<string, TemplateName>> = {
  'mail.acknowledgement': 'acknowledgement',
  'mail.ticket_resolved': 'resolved',
  'mail.satisfaction': 'satisfaction',
  'mail.form_receipt': 'receipt',
  'mail.customer_link': 'new_link',
  'mail.customer_code': 'code',
};

export function templateOfMail(event: string): TemplateName | undefined {
  return Object.hasOwn(templatesOfMails, event) ? templatesOfMails[event] : undefined;
}

export interface MailTemplate {
  subject: string | null;
  /** In Markdown. */
  body: string;
}

// Nothing that a customer wrote: anyone can open a ticket in another name.
const ofTicket = ['site.name', 'ticket.reference', 'link'];

export const templateVariables: Record<TemplateName, { known: readonly string[]; needed: readonly string[] }> = {
  acknowledgement: { known: ofTicket, needed: [] },
  resolved: { known: ofTicket, needed: [] },
  satisfaction: { known: ofTicket, needed: [] },
  receipt: { known: ofTicket, needed: ['link'] },
  new_link: { known: ofTicket, needed: ['link'] },
  code: { known: ['site.name', 'code'], needed: ['code'] },
};

/** Those that become a button, or large digits: each stands on a line of its own. */
const place = /^[ \t]*\{\{[ \t]*(link|code)[ \t]*\}\}[ \t]*$/m;

type Piece = { kind: 'words'; text: string } | { kind: 'link' } | { kind: 'code' };

export function piecesOf(body: string): Piece[] {
  return body.split(place).flatMap((text, at): Piece[] => {
    if (at % 2 === 1) return [{ kind: text === 'code' ? 'code' : 'link' }];
    return text.trim() === '' ? [] : [{ kind: 'words', text: text.replace(/^\n+|\n+$/g, '') }];
  });
}

export interface TemplateProblem {
  kind: 'unknown' | 'misplaced' | 'missing';
  variable: string;
}

/** What is wrong with a template, by its fields. */
export function templateProblems(
  name: TemplateName,
  { subject, body }: MailTemplate,
): Record<keyof MailTemplate, TemplateProblem[]> {
  const { known, needed } = templateVariables[name];
  const of = (kind: TemplateProblem['kind'], variables: readonly string[]) =>
    variables.map((variable) => ({ kind, variable }));
  const inSubject = variablesIn(subject ?? '').filter((one) => one === 'link' || !known.includes(one));
  const unknown = variablesIn(body).filter((one) => !known.includes(one));
  const pieces = piecesOf(body);
  const amongWords = pieces.flatMap((piece) => (piece.kind === 'words' ? variablesIn(piece.text) : []));
  const misplaced = amongWords.filter((one) => (one === 'link' || one === 'code') && known.includes(one));
  const missing = needed.filter((one) => !misplaced.includes(one) && !pieces.some(({ kind }) => kind === one));
  return {
    subject: of('unknown', inSubject),
    body: [...of('unknown', unknown), ...of('misplaced', [...new Set(misplaced)]), ...of('missing', missing)],
  };
}

const sentences: Record<Exclude<TemplateProblem['kind'], 'unknown'>, (variable: string) => string> = {
  misplaced: (variable) => `must have ${variable} on a line of its own.`,
  missing: (variable) => `must name ${variable}: the mail is for nothing without it.`,
};

export function templateErrors(name: TemplateName, template: MailTemplate): FieldErrors {
  const found = Object.entries(templateProblems(name, template)).filter(([, problems]) => problems.length > 0);
  const inWords = (problems: readonly TemplateProblem[]) => [
    ...unknownInWords(problems.flatMap(({ kind, variable }) => (kind === 'unknown' ? [variable] : []))),
    ...problems.flatMap(({ kind, variable }) => (kind === 'unknown' ? [] : [sentences[kind](`{{${variable}}}`)])),
  ];
  return Object.fromEntries(found.map(([field, problems]) => [field, inWords(problems)]));
}

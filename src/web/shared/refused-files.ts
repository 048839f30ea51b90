// The files of a mail that the desk did not keep, as it names them at the end of its text (src/desk/mail/material.ts).

import type { en } from '../messages/refused-files.ts';

type RefusedWords = typeof en;

interface RefusedFile {
  name: string;
  why: string;
  /** A size in megabytes, or an ending. */
  of: string;
}

interface WithRefused {
  body: string;
  refused: RefusedFile[];
  /** How many others it does not name. */
  more: number;
}

const note = /(?:^|\n\n)\[Not accepted: ([^\n]{1,4000})\]$/;
const reasons = {
  tooMany: 'too many files',
  empty: 'empty',
  tooLarge: 'larger than ([\\d.]+) MB',
  type: '\\.([^ ()]{1,40}) files are refused',
  program: 'a program; \\.([^ ()]{1,40}) files are refused',
  full: "the ticket is full|the site's space for files is full",
};
const anyReason = Object.values(reasons).join('|').replaceAll('(', '(?:');
const oneFile = new RegExp(`(.+?) \\((${anyReason})\\)(?:, | and (\\d+) more$|$)`, 'gy');

const noText = '(no text)';
/** As src/domain/tickets/files.ts says it. */
const textWithin = /^\(no text: what was written is in ([^\n]{1,250}), which the desk cannot read\)$/;

/** The text of a mail, or what the desk says in place of it. */
export function mailText(body: string, t: RefusedWords): string {
  if (body === noText) return t.mailNoText;
  const file = textWithin.exec(body)?.[1];
  return file === undefined ? body : t.mailTextWithin(`\u2068${file}\u2069`);
}

export function withoutRefused(body: string): WithRefused {
  const found = note.exec(body);
  const listed = found?.[1] ?? '';
  const files = [...listed.matchAll(oneFile)];
  // Someone wrote words that look like it.
  if (found === null || files.map(([text]) => text).join('') !== listed) return { body, refused: [], more: 0 };
  return {
    body: body.slice(0, found.index),
    refused: files.map(([, name = '', why = '']) => ({ name, ...reasonIn(why) })),
    more: Number(files.at(-1)?.[3] ?? 0),
  };
}

function reasonIn(words: string): Pick<RefusedFile, 'why' | 'of'> {
  for (const [why, pattern] of Object.entries(reasons)) {
    const found = new RegExp(`^(?:${pattern})$`).exec(words);
    if (found !== null) return { why, of: found[1] ?? '' };
  }
  return { why: '', of: '' };
}

/** Each name apart from the text around it, for whatever direction it has. */
export function refusedText({ refused, more }: WithRefused, t: RefusedWords): string {
  const words: Record<string, (of: string) => string> = {
    tooMany: () => t.refusedTooMany,
    empty: () => t.refusedEmpty,
    tooLarge: t.refusedTooLarge,
    type: t.refusedType,
    program: t.refusedProgram,
    full: () => t.refusedFull,
  };
  const named = refused.map(({ name, why, of }) => `\u2068${name}\u2069 (${words[why]?.(of)})`);
  return t.notAccepted(named.join(', '), more);
}

// A site's own words for a mail of the desk, with their variables filled in. Loaded when there are any.

import { type MailTemplate, piecesOf, type TemplateName } from '../../domain/mail/template.ts';
import type { Locale } from '../../domain/people/preferences.ts';
import { fillIn } from '../../domain/variables.ts';
import { renderMarkdown } from '../markdown.ts';
import { customerWords } from './customer-words.ts';
import type { RenderedTemplate } from './mail-content.ts';
import { writtenAsText } from './written-text.ts';

interface Values {
  siteName: string;
  reference: string;
  /** Of a mail with a code. */
  code: string;
}

export function renderTemplate({ subject, body }: MailTemplate, values: Values): RenderedTemplate {
  const filled = (name: string) =>
    name === 'site.name' ? values.siteName : name === 'ticket.reference' ? values.reference : values.code;
  return {
    subject: subject && fillIn(subject, 'text', filled),
    parts: piecesOf(body).map((piece) => {
      if (piece.kind === 'link') return piece;
      if (piece.kind === 'code') return { ...piece, code: values.code };
      const source = fillIn(piece.text, 'markdown', filled);
      const html = renderMarkdown(source);
      return { kind: 'words', text: writtenAsText(source, html), html };
    }),
  };
}

/** The desk's own words as a template, to begin with. */
export function ownTemplate(name: TemplateName, locale: Locale): { subject: string; body: string } {
  const words = customerWords[locale];
  const reference = '{{ticket.reference}}';
  const site = '{{site.name}}';
  const made = (subject: string, ...paragraphs: string[]) => ({ subject, body: paragraphs.join('\n\n') });
  switch (name) {
    case 'acknowledgement':
    case 'receipt':
      return made(words.receivedSubject, words.received(reference), words.willAnswer, words.addByReply, '{{link}}');
    case 'resolved':
      return made(words.resolvedSubject, words.resolved(reference), words.reopenByReply, '{{link}}');
    case 'satisfaction':
      return made(words.howWasHelp, words.solved(reference), words.reopenByReply, '{{link}}');
    case 'new_link':
      return made(words.linkSubject, words.newLink(reference), '{{link}}', words.newLinkNotAsked);
    case 'code':
      return made(words.codeSubject('{{code}}', site), words.code(site), '{{code}}', words.codeUse, words.codeNotAsked);
  }
}

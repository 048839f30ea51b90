// The mails to customers. Each carries the recipient's own link to the ticket (docs/customers.md).

import { invalid } from '../../domain/errors.ts';
import { fit, oneLine } from '../../domain/plain-text.ts';
import { momentInWords } from '../../domain/sla/deadline.ts';
import { type CustomerWords, customerWords } from './customer-words.ts';
import type { CustomerLink, CustomerMail, MailContent, MailFrame } from './mail-content.ts';
import { type Letter, named, type Part } from './text-and-html.ts';
import { threadSubject } from './thread-subject.ts';

const kinds: Readonly<Record<CustomerMail['kind'], true>> = {
  acknowledgement: true,
  form_receipt: true,
  ticket_resolved: true,
  satisfaction: true,
  customer_link: true,
  customer_code: true,
  agent_reply: true,
};

export const isCustomerMail = (content: MailContent): content is CustomerMail => content.kind in kinds;

export function subjectToCustomer(frame: MailFrame, content: CustomerMail): string {
  const { ticket, inReplyTo, site, locale, template } = frame;
  const words = customerWords[locale];
  const own = oneLine(template?.subject ?? '');
  if (own !== '' && content.kind !== 'agent_reply')
    return fit(content.kind === 'customer_code' ? own : `[${ticket?.reference ?? ''}] ${own}`, 300);
  if (content.kind === 'customer_code') return fit(words.codeSubject(content.code, oneLine(site.name)), 300);
  if (!ticket) throw invalid('ticket', 'is missing');
  const inThread = () =>
    threadSubject(ticket.reference, ticket.subject, inReplyTo === null ? '' : 'Re: ', words.noSubject);
  switch (content.kind) {
    case 'customer_link':
      return `[${ticket.reference}] ${words.linkSubject}`;
    // Anyone can open a ticket in another name, so the desk never sends unproven text on by itself.
    case 'ticket_resolved':
      return content.isProven ? inThread() : `[${ticket.reference}] ${words.resolvedSubject}`;
    case 'satisfaction':
      return content.isProven ? inThread() : `[${ticket.reference}] ${words.howWasHelp}`;
    default:
      return content.isProven ? inThread() : `[${ticket.reference}] ${words.receivedSubject}`;
  }
}

export function letterToCustomer(frame: MailFrame, content: CustomerMail): Letter {
  const words = customerWords[frame.locale];
  const site = named(frame.site.name, 'Helpdesk');
  const reference = frame.ticket?.reference ?? '';
  const template = content.kind === 'agent_reply' ? null : (frame.template ?? null);
  const link = linkParts(words, frame.link);
  const question = questionParts(words, frame.link);
  const ownParts = template?.parts.flatMap((part): Part[] => (part.kind === 'link' ? link : [part]));
  if (content.kind === 'customer_code') {
    return {
      language: frame.locale,
      parts: ownParts ?? [
        sentence(words.code(site)),
        { kind: 'code', code: content.code },
        ...sentences(words.codeUse, words.codeNotAsked),
      ],
      footer: site,
    };
  }
  const canReply = frame.inboundDomain !== null;
  const footer = [site, reference, ...(canReply ? [words.replyToAnswer] : [])].join(' · ');
  const letter = { language: frame.locale, footer, color: frame.site.color };
  if (content.kind === 'customer_link' && frame.link === null) throw invalid('link', 'is missing');
  if (ownParts) return { ...letter, parts: [...ownParts, ...question] };
  switch (content.kind) {
    // Repeats nothing that the customer wrote, for the same reason as the subject.
    case 'acknowledgement':
    case 'form_receipt':
      return {
        ...letter,
        parts: [
          ...sentences(words.received(reference), words.willAnswer, ...(canReply ? [words.addByReply] : [])),
          ...link,
        ],
      };
    case 'ticket_resolved':
      return {
        ...letter,
        parts: [
          ...sentences(words.resolved(reference), ...(canReply ? [words.reopenByReply] : [])),
          ...link,
          ...question,
        ],
      };
    case 'satisfaction':
      return {
        ...letter,
        parts: [
          ...sentences(words.solved(reference), ...(canReply ? [words.reopenByReply] : [])),
          ...link,
          ...question,
        ],
      };
    case 'customer_link':
      return { ...letter, parts: [sentence(words.newLink(reference)), ...link, sentence(words.newLinkNotAsked)] };
    case 'agent_reply':
      return {
        ...letter,
        parts: [
          { kind: 'words', text: content.body, html: content.html },
          ...(named(content.agentName, site) === site ? [] : [sentence(`${named(content.agentName, site)}, ${site}`)]),
          ...link,
          ...question,
          ...(content.answered === null ? [] : [answeredPart(words, content.answered)]),
        ],
      };
  }
}

const sentence = (text: string): Part => ({ kind: 'sentence', text });
const sentences = (...texts: string[]): Part[] => texts.map(sentence);

function linkParts(words: CustomerWords, link: CustomerLink | null): Part[] {
  if (link === null) return [];
  return [
    { kind: 'link', label: words.openTicket, url: link.url },
    sentence(link.isShared ? words.linkIsShared : link.isOpen ? words.linkIsOpen : words.linkConfirms),
  ];
}

/** Opening one changes nothing: its page asks again, with a button. */
function questionParts(words: CustomerWords, link: CustomerLink | null): Part[] {
  if (link?.rating == null) return [];
  const { good, bad } = link.rating;
  return [
    sentence(words.howWasHelp),
    {
      kind: 'choice',
      links: [
        { label: words.helpWasGood, url: good },
        { label: words.helpWasBad, url: bad },
      ],
    },
  ];
}

function answeredPart(
  words: CustomerWords,
  { authorName, body, at }: { authorName: string; body: string; at: number },
): Part {
  return { kind: 'quote', introduction: words.wrote(momentInWords(at), oneLine(authorName)), text: body };
}

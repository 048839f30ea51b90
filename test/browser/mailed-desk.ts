// A desk whose customers get mail, and what customers do with it: find the link, open it, read the code.

import type { ParsedMail } from 'mailparser';
import type { Visitor } from './browser.ts';
import { t } from './customer-texts.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';

export interface MailedDesk extends TicketDesk {
  /** The next mail to this address; mail to others waits for who asks for it. */
  mailTo: (address: string) => Promise<ParsedMail>;
  /** Opens a ticket as a customer by mail. @returns its ulid, and the link in the acknowledgement */
  write: (address: string, subject: string, body: string) => Promise<{ ulid: string; link: string }>;
  /** An agent's public answer. */
  answer: (ulid: string, body: string) => Promise<void>;
  read: (ulid: string) => Promise<Read>;
}

interface Read {
  status: string;
  satisfaction: { rating: string; comment: string | null } | null;
  messages: {
    ulid: string;
    body: string;
    attachments: { filename: string }[];
    via_link: { kind: string; address: string; is_confirmed: boolean } | null;
  }[];
}

export async function startMailedDesk(): Promise<MailedDesk> {
  const desk = await startTicketDesk();
  const kept: ParsedMail[] = [];
  const addressOf = ({ to }: ParsedMail) => [to].flat()[0]?.value[0]?.address ?? '';
  const mailTo: MailedDesk['mailTo'] = async (address) => {
    for (;;) {
      const at = kept.findIndex((mail) => addressOf(mail) === address);
      if (at !== -1) return kept.splice(at, 1)[0]!;
      kept.push(await desk.mail());
    }
  };
  let written = 0;
  return {
    ...desk,
    mailTo,
    async write(address, subject, body) {
      written += 1;
      const head = [`From: ${address}`, 'To: shop@desk.example', `Subject: ${subject}`, `Message-ID: <c${written}@x>`];
      const ulid = await desk.receive(`${head.join('\n')}\n\n${body}\n`);
      return { ulid, link: linkIn(await mailTo(address)) };
    },
    async answer(ulid, body) {
      await desk.api('POST', `/tickets/${ulid}/messages`, { body, agent_id: desk.site.owner.id });
    },
    read: async (ulid) => (await desk.api('GET', `/tickets/${ulid}`)).data,
  };
}

export function linkIn({ text = '', html }: ParsedMail): string {
  const link = /https?:\S+\/t\/\S+#\S+/.exec(text)?.[0];
  if (link === undefined) throw new Error(`There is no link in this mail:\n${text}`);
  if (html === false || !html.includes(`href="${link}"`)) throw new Error(`The HTML has another link than ${link}`);
  return link;
}

export function codeIn({ subject = '', text = '' }: ParsedMail): string {
  const code = /\b\d{6}\b/.exec(subject)?.[0];
  if (code === undefined || !text.includes(code)) throw new Error(`There is no code in “${subject}”:\n${text}`);
  return code;
}

/** Types an answer and sends it. */
export async function writeAnswer(visitor: Visitor, text: string): Promise<void> {
  await visitor.fill(t.yourAnswer, text);
  await visitor.press('button', t.send);
}

/** Asks for a code and types the one that came. */
export async function prove(visitor: Visitor, desk: MailedDesk, address: string): Promise<void> {
  await visitor.press('button', t.mailCode);
  await visitor.find('textbox', t.codeFromMail);
  await visitor.fill(t.codeFromMail, codeIn(await desk.mailTo(address)));
}

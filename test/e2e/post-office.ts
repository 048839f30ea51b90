// A mail server of the world outside: it keeps a mailbox for each address that the desk writes to.

import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

interface PostOffice {
  url: string;
  /** Of an address, oldest first. */
  mailbox: (address: string) => ParsedMail[];
  /** Puts a mail that did not come from the desk into it. */
  deliver: (address: string, mail: ParsedMail) => void;
  /** Addresses that have got mail. */
  addresses: () => string[];
  /** The first mail in the mailbox that passes. */
  waitFor: (address: string, passes: (mail: ParsedMail) => boolean) => Promise<ParsedMail>;
  /** How many mails the desk has handed over, each with everyone whom it names as a recipient. */
  handed: { to: string[]; mail: ParsedMail }[];
  close: () => Promise<void>;
}

/** @param carry takes a mail on to an address that is a desk's; false for any other */
export async function openPostOffice(
  carry: (to: string, raw: Buffer, from: string) => Promise<boolean> = () => Promise.resolve(false),
): Promise<PostOffice> {
  const mailboxes = new Map<string, ParsedMail[]>();
  const handed: PostOffice['handed'] = [];
  let arrived = Promise.withResolvers<void>();
  const mailbox = (address: string) => mailboxes.get(address) ?? [];
  const deliver = (address: string, mail: ParsedMail) => {
    mailboxes.set(address, [...mailbox(address), mail]);
    arrived.resolve();
    arrived = Promise.withResolvers();
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address.toLowerCase());
      const take = async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        const raw = Buffer.concat(chunks);
        const mail = await simpleParser(raw);
        handed.push({ to, mail });
        const from = session.envelope.mailFrom;
        for (const address of to) if (!(await carry(address, raw, from ? from.address : ''))) deliver(address, mail);
      };
      void take().then(() => done(), done);
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mailbox,
    deliver,
    addresses: () => [...mailboxes.keys()],
    async waitFor(address, passes) {
      for (;;) {
        const found = mailbox(address).find(passes);
        if (found !== undefined) return found;
        await arrived.promise;
      }
    },
    handed,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

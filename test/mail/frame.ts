// The frame of a mail, as the desk would give it.

import type { MailFrame } from '../../src/mail/outgoing/mail-content.ts';

export function frame(changes: Partial<MailFrame> = {}): MailFrame {
  return {
    site: { name: 'Acme', color: null },
    locale: 'en',
    link: null,
    from: { name: 'Acme Support', address: 'support@acme.example' },
    to: { name: 'Ada', address: 'ada@customer.example' },
    ticket: { ulid: '01J8ZQ4T5M7N8P9Q0R1S2T3V4W', reference: '#41', subject: 'Cannot save my settings' },
    inboundDomain: 'in.acme.example',
    answerAddress: null,
    deskId: 'desk-1',
    messageId: '<reply.1@acme.example>',
    inReplyTo: null,
    references: [],
    at: Date.UTC(2026, 8, 11, 9, 30),
    ...changes,
  };
}

// What the desk says of a site's senders and mails.

import type * as z from 'zod';
import type { mailTemplateShape, shownMailShape } from '../../../../http/wire/sites/mail-template.ts';
import type { senderShape } from '../../../../http/wire/sites/sender.ts';

export type Sender = z.output<typeof senderShape>;
export type MailTemplate = z.output<typeof mailTemplateShape>;
export type ShownMail = z.output<typeof shownMailShape>;

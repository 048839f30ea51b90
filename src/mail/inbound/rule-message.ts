// A message as inbound rules see it.

import type { RuleMessage } from '../../domain/rules/fields.ts';
import type { RuleCategory } from '../../domain/rules/rule.ts';
import type { FoldedBody } from '../reply/body.ts';
import type { ReadMessage } from './message.ts';

/** `isReply` and `category` come from the ticket that the message was matched to, or from the site's defaults. */
export function ruleMessageOf(
  message: ReadMessage,
  body: Pick<FoldedBody, 'body'>,
  ticket: { isReply: boolean; category: RuleCategory | null },
): RuleMessage {
  return {
    from: message.from,
    to: message.to,
    cc: message.cc,
    subject: message.subject,
    body: body.body,
    headers: message.headers,
    // Pictures within the text are no attachments to whoever writes a rule.
    attachmentNames: message.attachments.filter((each) => !each.isInline).map((each) => each.filename),
    sizeBytes: message.size,
    spamScore: message.spamScore,
    ...ticket,
  };
}

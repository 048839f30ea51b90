// The message that inbound rules evaluate.

import type { RuleMessage } from '../../domain/rules/fields.ts';
import type { FoldedBody } from '../reply/body.ts';
import type { ReadMessage } from './message.ts';

export function ruleMessageOf(
  message: ReadMessage,
  body: Pick<FoldedBody, 'body'>,
  ticket: Pick<RuleMessage, 'isReply' | 'participants' | 'barred' | 'category'>,
): RuleMessage {
  return {
    from: message.from,
    to: message.to,
    cc: message.cc,
    subject: message.subject,
    body: body.body,
    headers: message.headers,
    // To people, inline pictures are not attachments.
    attachmentNames: message.attachments.filter((each) => !each.isInline).map((each) => each.filename),
    sizeBytes: message.size,
    spamScore: message.spamScore,
    ...ticket,
  };
}

// Why mail waits, in the language of the reader; in the desk's English where its log has other words.

import type { HeldCode } from '../../../domain/mail/held-texts.ts';
import { t } from '../customers/messages.ts';
import type { HeldMail } from './held-mail.ts';

type Value = (name: string) => string;

const texts: Record<HeldCode, (value: Value) => string> = {
  forged: (value) => t.whyForged(value('checks')),
  called_forged: (value) => t.whyCalledForged(value('checks')),
  answers_spam: () => t.whyAnswersSpam,
  spam_sender: (value) => t.whySpamSender(value('address')),
  spam_score: (value) => t.whySpamScore(value('score')),
  opened_too_many: (value) => t.whyOpenedTooMany(value('address'), value('count')),
  reopened_too_many: (value) => t.whyReopenedTooMany(value('address'), value('count')),
  sends_too_much: (value) => t.whySendsTooMuch(value('address')),
  nameless_sends_too_much: () => t.whyNamelessSendsTooMuch,
  unproven_answers: (value) => t.whyUnprovenAnswers(value('count')),
  uninvited_answers: () => t.whyUninvitedAnswers,
  unknown_answer_address: () => t.whyUnknownAnswerAddress,
  unknown_side_address: () => t.whyUnknownSideAddress,
  side_conversation_full: () => t.whySideConversationFull,
  no_sender: () => t.whyNoSender,
  forward_bounces: (value) => t.whyForwardBounces(value('rule'), value('address')),
  unconfirmed_forms: (value) => t.whyUnconfirmedForms(value('address'), value('count')),
  blocked_sender: (value) => t.whyBlockedSender(value('address')),
  only_text: () => t.whyOnlyText,
  cut_headers: () => t.whyCutHeaders,
};

export function heldReason({ reason, reason_codes: codes }: Pick<HeldMail, 'reason' | 'reason_codes'>): string | null {
  if (codes.length === 0) return reason;
  return codes.map(({ code, values }) => texts[code]((name) => values[name] ?? '')).join(' ');
}

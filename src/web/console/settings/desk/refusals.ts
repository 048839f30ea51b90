// Refusals about people and tokens in words of their own, each beside its field.

import type { Answer, Refusal } from '../../../shared/api.ts';
import { fieldProblems } from '../../../shared/refusal-text.ts';
import { t } from './messages.ts';

const sentences: Readonly<Record<string, { field: string; text: () => string }>> = {
  last_owner: { field: 'role', text: () => t.lastOwnerStays },
  name_taken: { field: 'name', text: () => t.teamNameTaken },
  email_taken: { field: 'address', text: () => t.emailTaken },
  has_joined: { field: 'address', text: () => t.hasJoined },
  beyond_your_role: { field: 'role', text: () => t.beyondYourRole },
  beyond_your_rights: { field: 'abilities', text: () => t.beyondYourRights },
};

export function inWords<Data>(answer: Answer<Data>): Answer<Data> {
  if (answer.isOk) return answer;
  const { refusal } = answer;
  const sentence = sentences[refusal.code];
  if (sentence === undefined) return answer;
  return {
    isOk: false,
    refusal: { ...refusal, code: 'validation_failed', fields: { [sentence.field]: [sentence.text()] } },
  };
}

/** Under the names that forms have for what the desk names otherwise. */
export function problemsIn(refusal: Refusal): Record<string, string> {
  const { email, expires_at: expires, ...others } = fieldProblems(refusal);
  return {
    ...others,
    ...(email === undefined ? {} : { address: email }),
    ...(expires === undefined ? {} : { expires: t.expiryPast }),
  };
}

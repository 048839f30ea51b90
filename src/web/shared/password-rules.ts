// What the page can say about a new password before the desk is asked (docs/spec/people.md#passwords).

import { t } from './sign-in-messages.ts';

export const leastPasswordLength = 10;

/** The desk also refuses common passwords. */
export function passwordProblem(password: string, email: string | null): string | null {
  if (password === '') return t.required;
  if ([...password.normalize('NFKC')].length < leastPasswordLength) return t.passwordShort(leastPasswordLength);
  if (email !== null && password.trim().toLowerCase() === email.trim().toLowerCase()) return t.passwordRefused;
  return null;
}

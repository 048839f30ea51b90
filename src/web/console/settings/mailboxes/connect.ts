// Goes to the provider's page, where the owner of a mailbox consents. The desk leads back from there.

import type { Answer } from '../../../shared/api.ts';
import { ask } from '../../../shared/signed-in.ts';

/** An answer is of use only if it is a refusal: otherwise this page is left. */
export async function connect(mailboxPath: string): Promise<Answer<unknown>> {
  const answer = await ask<{ data: { url: string } }>('POST', `${mailboxPath}/connect`);
  if (answer.isOk) location.assign(answer.data.data.url);
  return answer;
}

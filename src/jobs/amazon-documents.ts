// Documents from Amazon's servers: certificates and confirmations of SNS.

import { DeskError } from '../domain/errors.ts';

const maxCharacters = 100_000;

/** @param url an address of Amazon's, checked by the SES reader */
export async function fetchFromAmazon(url: string): Promise<string> {
  const failure = () => new DeskError('unavailable', 'Amazon did not answer as expected.', { retryAfterSeconds: 60 });
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) });
    if (answer.ok) return (await answer.text()).slice(0, maxCharacters);
  } catch {
    throw failure();
  }
  throw failure();
}

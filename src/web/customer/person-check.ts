// A proof of work for the form, begun when someone touches it, so that it is done before they have finished.

import { type Answer, call } from '../shared/api.ts';
import { type Challenge, solve } from '../shared/work.ts';

interface PersonCheck {
  begin(): void;
  /** Null if the desk gave no challenge that can be solved. */
  proof(): Promise<Answer<string> | null>;
  /** The desk has used the proof, or it was too old. */
  forget(): void;
}

export function personCheck(site: string): PersonCheck {
  let work: Promise<Answer<string> | null> | null = null;
  const begin = () => {
    work ??= prove(site);
  };
  return {
    begin,
    async proof() {
      begin();
      const proof = await work;
      if (proof?.isOk !== true) work = null;
      return proof;
    },
    forget() {
      work = null;
    },
  };
}

async function prove(site: string): Promise<Answer<string> | null> {
  const asked = await call<{ data: Challenge }>('GET', `/customer/challenge?site=${encodeURIComponent(site)}`);
  if (!asked.isOk) return asked;
  const data = await solve(asked.data.data);
  return data === null ? null : { isOk: true, status: asked.status, data };
}

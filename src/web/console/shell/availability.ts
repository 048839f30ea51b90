// Saying that one is away, or back.

import type { Answer } from '../../shared/api.ts';
import { ask } from '../../shared/signed-in.ts';
import { refreshCatalogue } from '../catalogue.ts';
import { session } from '../session.ts';
import type { Colleague } from '../wire.ts';

interface Wanted {
  is_available: boolean;
  until?: string | null;
  note?: string | null;
}

/** Updates the session immediately, and fetches the lists of agents again. */
export async function setAvailability(wanted: Wanted): Promise<Answer<{ data: Colleague }>> {
  const answer = await ask<{ data: Colleague }>('PATCH', '/me/availability', wanted);
  const known = session.peek();
  if (answer.isOk && known !== null) {
    const { is_available, away_until, away_note } = answer.data.data;
    session.value = { ...known, agent: { ...known.agent, is_available, away_until, away_note } };
    void refreshCatalogue();
  }
  return answer;
}
